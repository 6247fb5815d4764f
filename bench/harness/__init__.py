"""What every benchmark here needs: photos, servers, clients, figures."""
