#ifndef OPENCOREDATA_CZLIB_SHIM_H
#define OPENCOREDATA_CZLIB_SHIM_H

#include <zlib.h>

/* Call `inflateInit2` and `deflateInit2` for streams without a header; they are macros, which Swift does not
   import. */
static inline int opencoredata_inflate_init_raw(z_stream *stream) {
    return inflateInit2(stream, -MAX_WBITS);
}
static inline int opencoredata_deflate_init_raw(z_stream *stream) {
    return deflateInit2(stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
}

#endif
