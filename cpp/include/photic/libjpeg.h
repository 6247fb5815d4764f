// libjpeg's headers, which include nothing themselves and so depend on what stands before them.
#pragma once

// clang-format off
#include <cstddef>
#include <cstdio>
#include <jpeglib.h>
#include <jerror.h>
// clang-format on

#if !defined(LIBJPEG_TURBO_VERSION)
#error "photic needs libjpeg-turbo (Debian: libjpeg62-turbo-dev), not another libjpeg"
#endif
