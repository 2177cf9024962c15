/* Layout and code of TF_TString; programs include tsl/platform/ctstring.h. The library and programs compiled long ago
 * handle the same bytes, so the layout is fixed. The two low bits of byte 0 tell which of four it is:
 *
 *   byte     0        8        16      23
 *   SMALL   |n|characters, NUL           |   n: uint8, size << 2; at most 22 characters
 *   LARGE   |size     |capacity|pointer  |   size << 2 | 1; heap memory of capacity + 1 bytes, owned
 *   OFFSET  |size|off |n       |         |   uint32 each: size << 2 | 2; characters at this struct's address + off
 *   VIEW    |size     |pointer |owner    |   size << 2 | 3; characters of somebody else, kept by the owner if not NULL
 *
 * Only SMALL and LARGE promise a NUL after the last character, which the size does not count.
 *
 * When memory is out, a function that makes room leaves the string as it was; those with a result return NULL. */
#ifndef TENSORFLOW_TSL_PLATFORM_CTSTRING_INTERNAL_H_
#define TENSORFLOW_TSL_PLATFORM_CTSTRING_INTERNAL_H_

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#if !defined(__BYTE_ORDER__) || __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "TF_TString is defined here for little-endian machines only"
#endif
#define TF_TSTRING_LITTLE_ENDIAN 1
#define TF_le32toh(x)            (x)

typedef enum TF_TString_Type {
    TF_TSTR_SMALL = 0x00,
    TF_TSTR_LARGE = 0x01,
    TF_TSTR_OFFSET = 0x02,
    TF_TSTR_VIEW = 0x03,
    TF_TSTR_TYPE_MASK = 0x03
} TF_TString_Type;

/* Keeps the characters of views. `ref` takes one reference more, `unref` drops one. `obj` is the owner's own. */
struct TStringOwnerCApi;
typedef void (*tstring_owner_ref_t)(struct TStringOwnerCApi *self);
typedef bool (*tstring_owner_unref_t)(struct TStringOwnerCApi *self);
typedef struct TStringOwnerCApi {
    tstring_owner_ref_t ref;
    tstring_owner_unref_t unref;
    void *obj;
} TStringOwnerCApi;

typedef struct TF_TString_Large {
    size_t size;
    size_t cap;
    char *ptr;
} TF_TString_Large;

typedef struct TF_TString_Offset {
    uint32_t size;
    uint32_t offset;
    uint32_t count;
} TF_TString_Offset;

typedef struct TF_TString_View {
    size_t size;
    const char *ptr;
    TStringOwnerCApi *owner_ref;
} TF_TString_View;

typedef struct TF_TString_Raw {
    uint8_t raw[24];
} TF_TString_Raw;

/* Fixes the size: no kind is larger. */
typedef union TF_TString_Union {
    TF_TString_Large large;
    TF_TString_Offset offset;
    TF_TString_View view;
    TF_TString_Raw raw;
} TF_TString_Union;

/* Characters that fit without heap memory: all but the size byte and the NUL. */
enum { TF_TString_SmallCapacity = sizeof(TF_TString_Union) - 2 };

typedef struct TF_TString_Small {
    uint8_t size;
    char str[TF_TString_SmallCapacity + 1];
} TF_TString_Small;

typedef struct TF_TString {
    union {
        TF_TString_Small smll;
        TF_TString_Large large;
        TF_TString_Offset offset;
        TF_TString_View view;
        TF_TString_Raw raw;
    } u;
} TF_TString;

/* ---- numbers ---- */

static inline size_t TF_align16(size_t i) { return (i + 15) & ~(size_t)15; }

static inline size_t TF_max(size_t a, size_t b) { return a > b ? a : b; }

static inline size_t TF_min(size_t a, size_t b) { return a < b ? a : b; }

/* The size in a stored size field, and the stored field of a size. */
static inline size_t TF_TString_ToActualSizeT(size_t size) { return size >> 2; }

static inline size_t TF_TString_ToInternalSizeT(size_t size, TF_TString_Type type) { return size << 2 | (size_t)type; }

/* ---- looking ---- */

static inline TF_TString_Type TF_TString_GetType(const TF_TString *str) {
    return (TF_TString_Type)(str->u.raw.raw[0] & TF_TSTR_TYPE_MASK);
}

/* Characters, without the NUL. */
static inline size_t TF_TString_GetSize(const TF_TString *str) {
    const TF_TString_Type type = TF_TString_GetType(str);
    if (type == TF_TSTR_SMALL) return (size_t)(str->u.smll.size >> 2);
    if (type == TF_TSTR_OFFSET) return str->u.offset.size >> 2;
    return TF_TString_ToActualSizeT(type == TF_TSTR_LARGE ? str->u.large.size : str->u.view.size);
}

/* Characters there is room for without new memory; 0 for views and offsets. */
static inline size_t TF_TString_GetCapacity(const TF_TString *str) {
    const TF_TString_Type type = TF_TString_GetType(str);
    if (type == TF_TSTR_SMALL) return TF_TString_SmallCapacity;
    return type == TF_TSTR_LARGE ? str->u.large.cap : 0;
}

/* The characters; valid until the string is changed or moved to another address. */
static inline const char *TF_TString_GetDataPointer(const TF_TString *str) {
    const TF_TString_Type type = TF_TString_GetType(str);
    if (type == TF_TSTR_SMALL) return str->u.smll.str;
    if (type == TF_TSTR_OFFSET) return (const char *)str + str->u.offset.offset;
    return type == TF_TSTR_LARGE ? str->u.large.ptr : str->u.view.ptr;
}

/* ---- life ---- */

/* Makes raw memory an empty string. */
static inline void TF_TString_Init(TF_TString *str) { memset(str, 0, sizeof *str); }

/* Gives up heap memory or the view's owner; the string is empty then. Strings that own nothing stay as they are. */
static inline void TF_TString_Dealloc(TF_TString *str) {
    const TF_TString_Type type = TF_TString_GetType(str);
    if (type == TF_TSTR_LARGE && str->u.large.ptr) {
        free(str->u.large.ptr);
    } else if (type == TF_TSTR_VIEW && str->u.view.owner_ref) {
        (void)str->u.view.owner_ref->unref(str->u.view.owner_ref);
    } else {
        return;
    }
    TF_TString_Init(str);
}

/* ---- room ---- */

/* Makes the string LARGE with room for `cap` characters rounded up to whole 16 bytes, keeping as many of its characters
 * as fit. False when memory is out. Not a function of the original. */
static inline bool TF_TString_MoveToHeap(TF_TString *str, size_t cap) {
    if (cap > (SIZE_MAX >> 2) - 16) return false;
    const size_t bytes = TF_align16(cap + 1);
    const size_t kept = TF_min(TF_TString_GetSize(str), bytes - 1);
    char *heap;
    if (TF_TString_GetType(str) == TF_TSTR_LARGE) {
        heap = (char *)realloc(str->u.large.ptr, bytes);
        if (!heap) return false;
    } else {
        heap = (char *)malloc(bytes);
        if (!heap) return false;
        if (kept > 0) memcpy(heap, TF_TString_GetDataPointer(str), kept);
        TF_TString_Dealloc(str);
    }
    heap[kept] = '\0';
    str->u.large.size = TF_TString_ToInternalSizeT(kept, TF_TSTR_LARGE);
    str->u.large.cap = bytes - 1;
    str->u.large.ptr = heap;
    return true;
}

/* Makes the string SMALL, keeping as many of its characters as fit. Not a function of the original. */
static inline void TF_TString_MoveInline(TF_TString *str) {
    if (TF_TString_GetType(str) == TF_TSTR_SMALL) return;
    const size_t kept = TF_min(TF_TString_GetSize(str), TF_TString_SmallCapacity);
    TF_TString small;
    TF_TString_Init(&small);
    if (kept > 0) memcpy(small.u.smll.str, TF_TString_GetDataPointer(str), kept);
    small.u.smll.size = (uint8_t)(kept << 2);
    TF_TString_Dealloc(str);
    *str = small;
}

/* Gives the string `new_size` characters of its own, SMALL when they fit there, and returns them. The old characters
 * stay as far as they fit; those after them have any value. Memory shrinks to half when the size falls below that. */
static inline char *TF_TString_ResizeUninitialized(TF_TString *str, size_t new_size) {
    if (new_size <= TF_TString_SmallCapacity) {
        TF_TString_MoveInline(str);
        str->u.smll.size = (uint8_t)(new_size << 2);
        str->u.smll.str[new_size] = '\0';
        return str->u.smll.str;
    }
    const size_t cap = TF_TString_GetCapacity(str);
    if (new_size > cap) {
        if (!TF_TString_MoveToHeap(str, new_size)) return NULL;
    } else if (new_size < cap / 2 && new_size < TF_TString_GetSize(str)) {
        (void)TF_TString_MoveToHeap(str, cap / 2);
    }
    str->u.large.size = TF_TString_ToInternalSizeT(new_size, TF_TSTR_LARGE);
    str->u.large.ptr[new_size] = '\0';
    return str->u.large.ptr;
}

/* Likewise, with new characters set to `c`. */
static inline char *TF_TString_Resize(TF_TString *str, size_t new_size, char c) {
    const size_t old_size = TF_TString_GetSize(str);
    char *data = TF_TString_ResizeUninitialized(str, new_size);
    if (data && new_size > old_size) memset(data + old_size, c, new_size - old_size);
    return data;
}

/* The characters for writing; a view or an offset becomes a copy of its own first. */
static inline char *TF_TString_GetMutableDataPointer(TF_TString *str) {
    const TF_TString_Type type = TF_TString_GetType(str);
    if (type == TF_TSTR_SMALL) return str->u.smll.str;
    if (type == TF_TSTR_LARGE) return str->u.large.ptr;
    return TF_TString_ResizeUninitialized(str, TF_TString_GetSize(str));
}

/* Makes room for at least `new_cap` characters; the size stays. Never gives room back. */
static inline void TF_TString_Reserve(TF_TString *str, size_t new_cap) {
    if (new_cap <= TF_TString_SmallCapacity) return;
    if (TF_TString_GetType(str) == TF_TSTR_LARGE && new_cap <= str->u.large.cap) return;
    (void)TF_TString_MoveToHeap(str, TF_max(new_cap, TF_TString_GetSize(str)));
}

/* Likewise, at least doubling the room, so that many small appends cost little. */
static inline void TF_TString_ReserveAmortized(TF_TString *str, size_t new_cap) {
    const size_t cap = TF_TString_GetCapacity(str);
    if (new_cap > cap) TF_TString_Reserve(str, TF_max(new_cap, 2 * cap));
}

/* ---- value ---- */

/* Where `src` lies within the characters of `str`, or SIZE_MAX when it does not. Not a function of the original. */
static inline size_t TF_TString_IndexOf(const TF_TString *str, const char *src) {
    const char *data = TF_TString_GetDataPointer(str);
    const uintptr_t first = (uintptr_t)data, at = (uintptr_t)src;
    return at >= first && at - first < TF_TString_GetSize(str) ? (size_t)(at - first) : SIZE_MAX;
}

/* Replaces the value by `size` characters, which may be some of the string's own. */
static inline void TF_TString_Copy(TF_TString *dst, const char *src, size_t size) {
    const size_t inside = size > 0 ? TF_TString_IndexOf(dst, src) : SIZE_MAX;
    char *data;
    if (inside != SIZE_MAX) {
        data = TF_TString_GetMutableDataPointer(dst);
        if (!data) return;
        memmove(data, data + inside, size);
        (void)TF_TString_ResizeUninitialized(dst, size);
        return;
    }
    data = TF_TString_ResizeUninitialized(dst, size);
    if (data && size > 0) memcpy(data, src, size);
}

/* Adds `size` characters at the end; they may be some of the string's own. */
static inline void TF_TString_AppendN(TF_TString *dst, const char *src, size_t size) {
    const size_t old_size = TF_TString_GetSize(dst);
    if (size == 0 || size > (SIZE_MAX >> 2) - old_size) return;
    const size_t inside = TF_TString_IndexOf(dst, src);
    TF_TString_ReserveAmortized(dst, old_size + size);
    char *data = TF_TString_ResizeUninitialized(dst, old_size + size);
    if (data) memcpy(data + old_size, inside == SIZE_MAX ? src : data + inside, size);
}

static inline void TF_TString_Append(TF_TString *dst, const TF_TString *src) {
    TF_TString_AppendN(dst, TF_TString_GetDataPointer(src), TF_TString_GetSize(src));
}

/* ---- sharing ---- */

/* Makes `dst` a view of `size` characters that `owner_ref` keeps; `dst` takes a reference of its own. The owner may be
 * NULL: then the caller keeps them while the view lives. */
static inline void TF_TString_AssignViewWithOwner(TF_TString *dst, const char *src, size_t size,
                                                  TStringOwnerCApi *owner_ref) {
    if (owner_ref) owner_ref->ref(owner_ref);
    TF_TString_Dealloc(dst);
    dst->u.view.size = TF_TString_ToInternalSizeT(size, TF_TSTR_VIEW);
    dst->u.view.ptr = src;
    dst->u.view.owner_ref = owner_ref;
}

static inline void TF_TString_AssignView(TF_TString *dst, const char *src, size_t size) {
    TF_TString_AssignViewWithOwner(dst, src, size, NULL);
}

/* Gives `dst` the value of `src`: a copy of characters that `src` owns, a view of those that it does not. */
static inline void TF_TString_Assign(TF_TString *dst, const TF_TString *src) {
    if (dst == src) return;
    const TF_TString_Type type = TF_TString_GetType(src);
    const char *data = TF_TString_GetDataPointer(src);
    const size_t size = TF_TString_GetSize(src);
    if (type == TF_TSTR_VIEW || type == TF_TSTR_OFFSET) {
        TF_TString_AssignViewWithOwner(dst, data, size, type == TF_TSTR_VIEW ? src->u.view.owner_ref : NULL);
    } else if (type == TF_TSTR_LARGE) {
        TF_TString_Dealloc(dst);
        TF_TString_Copy(dst, data, size);
    } else {
        TF_TString_Dealloc(dst);
        *dst = *src;
    }
}

/* Gives `dst` the value of `src` without copying characters. A LARGE or VIEW source is empty then; a SMALL one keeps
 * its value; of an OFFSET source `dst` becomes a view. */
static inline void TF_TString_Move(TF_TString *dst, TF_TString *src) {
    if (dst == src) return;
    const TF_TString_Type type = TF_TString_GetType(src);
    if (type == TF_TSTR_OFFSET) {
        TF_TString_AssignView(dst, TF_TString_GetDataPointer(src), TF_TString_GetSize(src));
        return;
    }
    TF_TString_Dealloc(dst);
    *dst = *src;
    if (type != TF_TSTR_SMALL) TF_TString_Init(src);
}

#endif
