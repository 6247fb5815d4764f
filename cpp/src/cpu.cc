// Placeholder translation unit until the dispatch targets land.
namespace photic {}
