/* SPDX-License-Identifier: MIT */
/*
 * The registry of schemas: which blocks make up which id. A narrow schema is a prefix of a wider
 * one exactly where both list the same blocks, so shared columns have one name and one value. An
 * id is a contract: another order, scale or meaning needs another id.
 */
#include "features/blocks.h"

#include <stdio.h>
#include <string.h>

enum { MOST_BLOCKS = 8 };

typedef struct entry {
    hz_schema schema; /* first, so that a schema handed out leads back to its entry */
    const hzi_block *blocks[MOST_BLOCKS + 1]; /* ends with NULL */
} entry;

#define MATERIAL &hzi_block_material
#define RICH MATERIAL, &hzi_block_mobility_diff, &hzi_block_king_safety_diff
#define KCP RICH, &hzi_block_capture
#define KCP_MOBILITY KCP, &hzi_block_moves, &hzi_block_pdi
#define KCP_MOBILITY_PAWNS KCP_MOBILITY, &hzi_block_passed

static const entry entries[] = {
    {{"material-7-v1", "dicechess", "piece count differences and points", 7, true}, {MATERIAL}},
    {{"rich-9-v1", "dicechess", "material, mobility and king safety differences", 9, true}, {RICH}},
    {{"rich-pdi-11-v1", "dicechess", "rich-9-v1 and the piece diversity of both sides", 11, true},
     {RICH, &hzi_block_pdi_rich}},
    {{"kcp-13", "dicechess", "rich-9-v1 and the king and queen capture probabilities", 13, true},
     {KCP}},
    {{"kcp-mobility-27-v1", "dicechess", "kcp-13, micro-moves by type, piece diversity", 27, true},
     {KCP_MOBILITY}},
    {{"kcp-mobility-pawns-31-v1", "dicechess", "kcp-mobility-27-v1 and passed pawns", 31, true},
     {KCP_MOBILITY_PAWNS}},
    {{"raw-board-768-v1", "dicechess", "twelve piece planes seen from the side", 768, true},
     {&hzi_block_raw_board}},
    {{"dual-view-1540-v1", "chess", "piece planes and rights as both sides see them", 1540, false},
     {&hzi_block_dual_view}},
    {{"chess7x8x8-meta13-v1", "chess", "colour and piece planes in FEN order, 13 flags", 461,
      false},
     {&hzi_block_planes}},
};

enum { ENTRIES = sizeof entries / sizeof *entries };

static const entry *entry_of(const hz_schema *schema) {
    return (const entry *)(const void *)schema;
}

const hz_schema *hz_schema_at(size_t index) {
    return index < ENTRIES ? &entries[index].schema : NULL;
}

const hz_schema *hz_schema_find(const char *id) {
    for (size_t i = 0; id && i < ENTRIES; i++) {
        if (strcmp(entries[i].schema.id, id) == 0) {
            return &entries[i].schema;
        }
    }
    return NULL;
}

size_t hz_schema_column_name(const hz_schema *schema, size_t column, char *buffer,
                             size_t capacity) {
    for (const hzi_block *const *b = entry_of(schema)->blocks; *b; b++) {
        if (column < (*b)->width) {
            return (*b)->names ? (size_t)snprintf(buffer, capacity, "%s", (*b)->names[column])
                               : (*b)->name(column, buffer, capacity);
        }
        column -= (*b)->width;
    }
    if (capacity > 0) {
        buffer[0] = '\0';
    }
    return 0;
}

size_t hz_schema_column_find(const hz_schema *schema, const char *name) {
    char buffer[HZI_COLUMN_CAPACITY];
    for (size_t column = 0; name && column < schema->width; column++) {
        hz_schema_column_name(schema, column, buffer, sizeof buffer);
        if (strcmp(buffer, name) == 0) {
            return column;
        }
    }
    return SIZE_MAX;
}

void hz_features_row(const hz_schema *schema, const hz_position *position, hz_color color,
                     float *row) {
    hzi_row state;
    state.position = position;
    state.own = color;
    state.enemy = (hz_color)(color ^ 1);
    for (const hzi_block *const *b = entry_of(schema)->blocks; *b; b++) {
        (*b)->write(&state, row);
        row += (*b)->width;
    }
}

void hz_features_batch(const hz_schema *schema, const hz_position *positions, size_t n,
                       hz_color color, float *rows) {
    for (size_t i = 0; i < n; i++) {
        hz_features_row(schema, &positions[i], color, rows + i * schema->width);
    }
}
