/* SPDX-License-Identifier: MIT */
/*
 * Runs while building: prints the constant tables of the board room as C. Everything is computed
 * the slow, obvious way (walking step by step), so the tables double as the definition of how
 * pieces move. The Zobrist numbers are a counter stream of the base room's mixer.
 */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>

static uint64_t bit_at(int file, int rank) {
    return file >= 0 && file < 8 && rank >= 0 && rank < 8 ? (uint64_t)1 << (8 * rank + file) : 0;
}

/* Squares reached in one direction, blockers included. */
static uint64_t walk(int square, int df, int dr, uint64_t occupied) {
    uint64_t reached = 0;
    int file = (square & 7) + df, rank = (square >> 3) + dr;
    for (uint64_t bit; (bit = bit_at(file, rank)) != 0; file += df, rank += dr) {
        reached |= bit;
        if (occupied & bit) {
            break;
        }
    }
    return reached;
}

static uint64_t steps(int square, const int (*step)[2], int count) {
    uint64_t reached = 0;
    for (int i = 0; i < count; i++) {
        reached |= bit_at((square & 7) + step[i][0], (square >> 3) + step[i][1]);
    }
    return reached;
}

static const int KNIGHT[8][2] = {{1, 2},   {2, 1},   {2, -1}, {1, -2},
                                 {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}};
static const int KING[8][2] = {{0, 1},  {1, 1},   {1, 0},  {1, -1},
                               {0, -1}, {-1, -1}, {-1, 0}, {-1, 1}};
static const int WHITE_PAWN[2][2] = {{-1, 1}, {1, 1}};
static const int BLACK_PAWN[2][2] = {{-1, -1}, {1, -1}};
static const int BISHOP[4][2] = {{1, 1}, {1, -1}, {-1, -1}, {-1, 1}};
static const int ROOK[4][2] = {{0, 1}, {1, 0}, {0, -1}, {-1, 0}};

static void print_u64(const char *declaration, const uint64_t *values, int count) {
    printf("%s = {", declaration);
    for (int i = 0; i < count; i++) {
        printf("%s0x%016" PRIx64 ",", i % 4 ? " " : "\n    ", values[i]);
    }
    printf("\n};\n");
}

static void print_leaper(const char *declaration, const int (*step)[2], int count) {
    uint64_t values[64];
    for (int s = 0; s < 64; s++) {
        values[s] = steps(s, step, count);
    }
    print_u64(declaration, values, 64);
}

static uint64_t slide(int square, const int (*direction)[2], uint64_t occupied) {
    uint64_t reached = 0;
    for (int d = 0; d < 4; d++) {
        reached |= walk(square, direction[d][0], direction[d][1], occupied);
    }
    return reached;
}

/* Ray squares whose occupancy matters: all but the last one of each direction. */
static uint64_t relevant(int square, const int (*direction)[2]) {
    uint64_t mask = 0;
    for (int d = 0; d < 4; d++) {
        int df = direction[d][0], dr = direction[d][1];
        int file = (square & 7) + df, rank = (square >> 3) + dr;
        for (; bit_at(file + df, rank + dr); file += df, rank += dr) {
            mask |= bit_at(file, rank);
        }
    }
    return mask;
}

static unsigned gather(uint64_t value, uint64_t mask) {
    unsigned result = 0;
    for (unsigned i = 0; mask; mask &= mask - 1, i++) {
        if (value & mask & (~mask + 1)) {
            result |= 1u << i;
        }
    }
    return result;
}

static int popcount(uint64_t b) {
    int n = 0;
    for (; b; b &= b - 1) {
        n++;
    }
    return n;
}

static uint32_t print_slider(const char *name, const int (*direction)[2], uint32_t offset) {
    printf("const hzi_slider %s[64] = {\n", name);
    for (int s = 0; s < 64; s++) {
        uint64_t mask = relevant(s, direction);
        printf("    {0x%016" PRIx64 ", 0x%016" PRIx64 ", %" PRIu32 "},\n", mask,
               slide(s, direction, 0), offset);
        offset += (uint32_t)1 << popcount(mask);
    }
    printf("};\n");
    return offset;
}

static void print_packed(const int (*direction)[2]) {
    for (int s = 0; s < 64; s++) {
        uint64_t mask = relevant(s, direction), reach = slide(s, direction, 0);
        /* Counting up through all subsets of mask visits them in the order of their indices. */
        uint64_t occupied = 0;
        int column = 0;
        do {
            printf("%s%u,", column++ % 16 ? " " : "\n    ",
                   gather(slide(s, direction, occupied), reach));
            occupied = (occupied - mask) & mask;
        } while (occupied);
    }
}

static uint64_t mix(uint64_t x) {
    uint64_t z = x + 0x9E3779B97F4A7C15;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
}

static void print_two_dimensional(const char *name, const char *note, const uint64_t *values) {
    printf("/* %s */\nconst uint64_t %s[64][64] = {\n", note, name);
    for (int a = 0; a < 64; a++) {
        printf("    {");
        for (int b = 0; b < 64; b++) {
            printf("%s0x%016" PRIx64 ",", b % 4 ? " " : "\n     ", values[a * 64 + b]);
        }
        printf("},\n");
    }
    printf("};\n");
}

static void print_lines_between(void) {
    static uint64_t between[64 * 64], line[64 * 64];
    for (int a = 0; a < 64; a++) {
        for (int d = 0; d < 8; d++) {
            int df = KING[d][0], dr = KING[d][1];
            uint64_t whole = walk(a, df, dr, 0) | walk(a, -df, -dr, 0) | (uint64_t)1 << a;
            uint64_t passed = 0;
            int file = (a & 7) + df, rank = (a >> 3) + dr;
            for (; bit_at(file, rank); file += df, rank += dr) {
                between[a * 64 + 8 * rank + file] = passed;
                line[a * 64 + 8 * rank + file] = whole;
                passed |= bit_at(file, rank);
            }
        }
    }
    print_two_dimensional("hzi_between_table", "squares strictly between two squares", between);
    print_two_dimensional("hzi_line_table", "the whole line through two squares", line);
}

int main(void) {
    printf("/* Generated by tables_gen.c. */\n#include \"board/attacks.h\"\n"
           "#include \"board/zobrist.h\"\n\n");
    print_leaper("const uint64_t hzi_knight_table[64]", KNIGHT, 8);
    print_leaper("const uint64_t hzi_king_table[64]", KING, 8);
    printf("const uint64_t hzi_pawn_table[2][64] = {\n");
    for (int color = 0; color < 2; color++) {
        printf("    {");
        for (int s = 0; s < 64; s++) {
            printf("%s0x%016" PRIx64 ",", s % 4 ? " " : "\n     ",
                   steps(s, color ? BLACK_PAWN : WHITE_PAWN, 2));
        }
        printf("},\n");
    }
    printf("};\nconst hzi_lines hzi_lines_table[64] = {\n");
    for (int s = 0; s < 64; s++) {
        printf("    {0x%016" PRIx64 ", 0x%016" PRIx64 ", 0x%016" PRIx64 "},\n",
               walk(s, 0, 1, 0) | walk(s, 0, -1, 0), walk(s, 1, 1, 0) | walk(s, -1, -1, 0),
               walk(s, 1, -1, 0) | walk(s, -1, 1, 0));
    }
    printf("};\nconst uint8_t hzi_rank_table[8][64] = {\n");
    for (int file = 0; file < 8; file++) {
        printf("    {");
        for (unsigned inner = 0; inner < 64; inner++) {
            uint64_t occupied = (uint64_t)inner << 1;
            uint64_t reached = walk(file, 1, 0, occupied) | walk(file, -1, 0, occupied);
            printf("%s%u,", inner % 16 ? " " : "\n     ", (unsigned)(reached & 255));
        }
        printf("},\n");
    }
    printf("};\n");
    uint32_t offset = print_slider("hzi_bishop_slider", BISHOP, 0);
    offset = print_slider("hzi_rook_slider", ROOK, offset);
    printf("const uint16_t hzi_slider_packed[%" PRIu32 "] = {", offset);
    print_packed(BISHOP);
    print_packed(ROOK);
    printf("\n};\n");
    print_lines_between();

    uint64_t counter = 0;
    printf("const hzi_zobrist_numbers hzi_zobrist = {\n    .piece = {");
    for (int color = 0; color < 2; color++) {
        printf("{");
        for (int type = 0; type < 6; type++) {
            printf("{");
            for (int s = 0; s < 64; s++) {
                printf("0x%016" PRIx64 ",%s", mix(counter), s % 4 == 3 ? "\n" : " ");
                counter++;
            }
            printf("},");
        }
        printf("},");
    }
    printf("},\n    .target = {");
    for (int s = 0; s < 64; s++) {
        printf("0x%016" PRIx64 ",%s", mix(counter++), s % 4 == 3 ? "\n" : " ");
    }
    printf("},\n    .rights = {");
    for (int r = 0; r < 16; r++) {
        /* No rights and an empty pool contribute nothing. */
        printf("0x%016" PRIx64 ", ", r ? mix(counter) : 0);
        counter++;
    }
    printf("},\n    .dice = {");
    for (int type = 0; type < 6; type++) {
        printf("{");
        for (int n = 0; n < 4; n++) {
            printf("0x%016" PRIx64 ", ", n ? mix(counter) : 0);
            counter++;
        }
        printf("},");
    }
    printf("},\n    .side = 0x%016" PRIx64 ",\n};\n", mix(counter));
    return 0;
}
