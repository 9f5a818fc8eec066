/* What compiled programs share: the rule of zero, sums in pairs, products of matrices. */

#if defined(__GNUC__) && !defined(__TINYC__)
#define AD_INLINE inline __attribute__((always_inline))
#define AD_APART __attribute__((noinline))
#else
#define AD_INLINE inline
#define AD_APART
#endif

/* In long rows of statements a call compiles in half the time. */
#ifdef AD_LONG
#define AD_CARE AD_APART
#else
#define AD_CARE AD_INLINE
#endif

/* A gradient under the rule of zero, from its cotangent and its partial: 0 where either is 0,
   unless the cotangent is NaN. Then a product under that rule. */
static AD_CARE double ad_kept(double grad, double gradient, double partial)
{
    const double zero = grad == grad ? 0.0 : grad, kept = partial == 0.0 ? zero : gradient;

    return gradient == gradient ? gradient : grad == 0.0 ? 0.0 : kept;
}

static AD_CARE double ad_careful(double grad, double partial)
{
    return ad_kept(grad, grad * partial, partial);
}

static AD_CARE float ad_keptf(float grad, float gradient, float partial)
{
    const float zero = grad == grad ? 0.0f : grad, kept = partial == 0.0f ? zero : gradient;

    return gradient == gradient ? gradient : grad == 0.0f ? 0.0f : kept;
}

static AD_CARE float ad_carefulf(float grad, float partial)
{
    return ad_keptf(grad, grad * partial, partial);
}

/* The sums of blocks, added in pairs: level k holds the sum of 2**k blocks. */
typedef struct {
    double level[48];
    unsigned long long count;
} ad_pairs;

static inline void ad_pairs_add(ad_pairs *pairs, double part)
{
    unsigned long long count = pairs->count++;
    int k = 0;

    for (; count & 1; count >>= 1)
        part = pairs->level[k++] + part;
    pairs->level[k] = part;
}

static inline double ad_pairs_total(const ad_pairs *pairs)
{
    unsigned long long count = pairs->count;
    double total = 0.0;
    int k = 0, first = 1;

    for (; count; count >>= 1, k++) {
        if (count & 1) {
            total = first ? pairs->level[k] : pairs->level[k] + total;
            first = 0;
        }
    }
    return total;
}

typedef void (*ad_gemm)(char *, char *, int *, int *, int *, void *, void *, int *, void *, int *,
                        void *, void *, int *);

/* Sums of products round once where the machine does so in one instruction. */
#ifdef __FMA__
#define AD_FMA(a, b, c) __builtin_fma(a, b, c)
#define AD_FMAF(a, b, c) __builtin_fmaf(a, b, c)
#else
#define AD_FMA(a, b, c) ((a) * (b) + (c))
#define AD_FMAF(a, b, c) ((a) * (b) + (c))
#endif

#define AD_FROM_BLAS 20000.0

/* Stride along the rows or columns that a matrix must have to be given to BLAS. */
static inline int ad_leading(npy_intp rows, npy_intp columns, npy_intp row_step,
                             npy_intp column_step, int *transposed, int *leading)
{
    if ((column_step == 1 || columns == 1) && row_step >= columns && row_step > 0) {
        *transposed = 0;
        *leading = (int)row_step;
        return 1;
    }
    if ((row_step == 1 || rows == 1) && column_step >= rows && column_step > 0) {
        *transposed = 1;
        *leading = (int)column_step;
        return 1;
    }
    return 0;
}

#define AD_MATMUL(NAME, TYPE, FMA)                                                                \
    /* out (m, n) = x (m, k) @ y (k, n); steps count entries; out is contiguous. */               \
    static inline void NAME(ad_gemm gemm, npy_intp m, npy_intp k, npy_intp n, const TYPE *x,      \
                     npy_intp xr, npy_intp xc, const TYPE *y, npy_intp yr, npy_intp yc,           \
                     TYPE *restrict out)                                                          \
    {                                                                                             \
        int turn_x, turn_y, lead_x, lead_y;                                                       \
        TYPE one = 1, zero = 0;                                                                   \
                                                                                                  \
        if (gemm && m > 1 && n > 1 && (double)m * k * n > AD_FROM_BLAS &&                         \
            ad_leading(m, k, xr, xc, &turn_x, &lead_x) &&                                         \
            ad_leading(k, n, yr, yc, &turn_y, &lead_y)) {                                         \
            int rows = (int)m, columns = (int)n, inner = (int)k;                                  \
            gemm(turn_y ? "T" : "N", turn_x ? "T" : "N", &columns, &rows, &inner, &one,           \
                 (void *)y, &lead_y, (void *)x, &lead_x, &zero, out, &columns);                   \
            return;                                                                               \
        }                                                                                         \
        if (yr == 1 && xc == 1 && (yc != 1 || n == 1)) {                                          \
            npy_intp i = 0;                                                                       \
            /* Four rows at once: their sums do not wait for each other. */                       \
            for (; i + 4 <= m; i += 4)                                                            \
                for (npy_intp j = 0; j < n; j++) {                                                \
                    const TYPE *row = x + i * xr, *column = y + j * yc;                           \
                    TYPE a = 0, b = 0, c = 0, d = 0;                                              \
                    _Pragma("omp simd reduction(+:a, b, c, d)")                                   \
                    for (npy_intp p = 0; p < k; p++) {                                            \
                        a = FMA(row[p], column[p], a);                                            \
                        b = FMA(row[p + xr], column[p], b);                                       \
                        c = FMA(row[p + 2 * xr], column[p], c);                                   \
                        d = FMA(row[p + 3 * xr], column[p], d);                                   \
                    }                                                                             \
                    out[i * n + j] = a;                                                           \
                    out[(i + 1) * n + j] = b;                                                     \
                    out[(i + 2) * n + j] = c;                                                     \
                    out[(i + 3) * n + j] = d;                                                     \
                }                                                                                 \
            for (; i < m; i++)                                                                    \
                for (npy_intp j = 0; j < n; j++) {                                                \
                    const TYPE *row = x + i * xr, *column = y + j * yc;                           \
                    TYPE sum = 0;                                                                 \
                    _Pragma("omp simd reduction(+:sum)")                                          \
                    for (npy_intp p = 0; p < k; p++)                                              \
                        sum = FMA(row[p], column[p], sum);                                        \
                    out[i * n + j] = sum;                                                         \
                }                                                                                 \
            return;                                                                               \
        }                                                                                         \
        for (npy_intp i = 0; i < m; i++) {                                                        \
            TYPE *restrict line = out + i * n;                                                    \
            for (npy_intp j = 0; j < n; j++)                                                      \
                line[j] = 0;                                                                      \
            npy_intp p = 0;                                                                       \
            if (yc == 1)                                                                          \
                for (; p + 4 <= k; p += 4) {                                                      \
                    const TYPE *row = y + p * yr, *factor = x + i * xr + p * xc;                  \
                    const TYPE a = factor[0], b = factor[xc], c = factor[2 * xc],                 \
                               d = factor[3 * xc];                                                \
                    _Pragma("omp simd")                                                           \
                    for (npy_intp j = 0; j < n; j++)                                              \
                        line[j] = FMA(a, row[j], FMA(b, row[j + yr],                              \
                                  FMA(c, row[j + 2 * yr], FMA(d, row[j + 3 * yr], line[j]))));    \
                }                                                                                 \
            for (; p < k; p++) {                                                                  \
                const TYPE factor = x[i * xr + p * xc], *row = y + p * yr;                        \
                _Pragma("omp simd")                                                               \
                for (npy_intp j = 0; j < n; j++)                                                  \
                    line[j] = FMA(factor, row[j * yc], line[j]);                                  \
            }                                                                                     \
        }                                                                                         \
    }                                                                                             \
                                                                                                  \
    /* The same under the rule of zero, where a NaN came out; `first`: x is the cotangent. */     \
    static inline void NAME##_careful(npy_intp m, npy_intp k, npy_intp n, const TYPE *x, npy_intp xr,\
                               npy_intp xc, const TYPE *y, npy_intp yr, npy_intp yc,              \
                               TYPE *restrict out, int first)                                     \
    {                                                                                             \
        for (npy_intp i = 0; i < m; i++)                                                          \
            for (npy_intp j = 0; j < n; j++) {                                                    \
                TYPE sum = 0;                                                                     \
                if (out[i * n + j] == out[i * n + j])                                             \
                    continue;                                                                     \
                for (npy_intp p = 0; p < k; p++) {                                                \
                    const TYPE a = x[i * xr + p * xc], b = y[p * yr + j * yc];                    \
                    const TYPE grad = first ? a : b;                                              \
                    if (grad == grad && (a == 0 || b == 0))                                       \
                        continue;                                                                 \
                    sum += a * b;                                                                 \
                }                                                                                 \
                out[i * n + j] = sum;                                                             \
            }                                                                                     \
    }
