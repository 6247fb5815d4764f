// libjpeg's headers, which include nothing themselves and so depend on what stands before them.
#pragma once

// clang-format off
#include <cstddef>
#include <cstdio>
#include <jpeglib.h>
#include <jerror.h>
// clang-format on
