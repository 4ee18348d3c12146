/* Answers the cases that every binding answers: `replay < cases > answers`. The lines of a case are described in
   bindings/cases/src/lib.rs. */
#include "portolan.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static PortolanWorld world;
static PortolanPlanner planner;
static uint8_t *weights;
static size_t weight_count;
static unsigned rules_of[4], width, height;
static PortolanCell *cells;

static void must(PortolanStatus status) {
    if (status != PORTOLAN_STATUS_OK) {
        fprintf(stderr, "portolan: %s\n", portolan_last_error());
        exit(1);
    }
}

static void tell(int outcome, unsigned cost, const PortolanCell *route, size_t count) {
    printf("%d %u %zu", outcome, cost, count);
    for (size_t i = 0; i < count; i++) {
        printf(" %u,%u", route[i].x, route[i].y);
    }
    printf("\n");
}

/* A start that is blocked or a place off the map is an answer here, told as batches tell it. */
static int outcome_of_failure(PortolanStatus status) {
    if (status != PORTOLAN_STATUS_QUERY) {
        must(status);
    }
    return strstr(portolan_last_error(), "off the map") ? PORTOLAN_OUTCOME_OFF_MAP : PORTOLAN_OUTCOME_START_BLOCKED;
}

static void find(PortolanQuery query) {
    PortolanAnswer answer;
    PortolanStatus status = portolan_find(planner, world, query, cells, weight_count, &answer);
    if (status != PORTOLAN_STATUS_OK) {
        tell(outcome_of_failure(status), 0, NULL, 0);
    } else {
        tell(answer.outcome, answer.cost, cells, answer.count);
    }
}

static void plan(PortolanQuery query) {
    PortolanAnswer answer;
    PortolanRoute route;
    PortolanStatus status = portolan_plan(planner, world, query, &route, &answer);
    if (status != PORTOLAN_STATUS_OK) {
        tell(outcome_of_failure(status), 0, NULL, 0);
        return;
    }
    size_t all = 0, count = 0;
    if (route.id != 0) {
        do { /* with little room, so that legs come in parts */
            must(portolan_route_next(route, planner, world, cells + all, 7, &count));
            all += count;
        } while (count > 0);
        must(portolan_route_free(route));
    }
    tell(answer.outcome, answer.cost, cells, all);
}

static void find_many(const PortolanQuery *queries, size_t count) {
    PortolanBatch batch;
    size_t answers, all;
    must(portolan_find_many(planner, world, queries, count, 2, &batch));
    must(portolan_batch_size(batch, &answers, &all));
    PortolanAnswer *told = calloc(answers + 1, sizeof *told);
    PortolanCell *routes = calloc(all + 1, sizeof *routes);
    must(portolan_batch_answers(batch, told, answers));
    must(portolan_batch_cells(batch, routes, all));
    for (size_t i = 0; i < answers; i++) {
        tell(told[i].outcome, told[i].cost, routes + told[i].first, told[i].count);
    }
    free(told);
    free(routes);
    must(portolan_batch_free(batch));
}

static void end_case(void) {
    if (planner.id != 0) {
        must(portolan_planner_free(planner));
        must(portolan_world_free(world));
        planner.id = world.id = 0;
    }
    free(weights);
    free(cells);
    weights = NULL;
    cells = NULL;
    weight_count = 0;
}

static void change(PortolanEdit edit) {
    must(portolan_world_apply(world, &edit, 1));
    must(portolan_planner_sync(planner, world));
}

int main(void) {
    static char line[4096];
    PortolanQuery queries[16];
    size_t left = 0, known = 0;
    unsigned n[6];
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = '\0';
        if (strncmp(line, "case ", 5) == 0) {
            end_case();
        } else if (sscanf(line, "world %u %u %u %u %u %u", &rules_of[0], &rules_of[1], &rules_of[2], &rules_of[3], &width,
                          &height) == 6) {
            weights = calloc((size_t)width * height, 1);
            cells = calloc((size_t)width * height + 8, sizeof *cells);
        } else if (strncmp(line, "row ", 4) == 0) {
            for (unsigned x = 0; x < width; x++) {
                unsigned weight;
                sscanf(line + 4 + 2 * x, "%2x", &weight);
                weights[weight_count++] = (uint8_t)weight;
            }
        } else if (strncmp(line, "planner ", 8) == 0) {
            PortolanRules rules = {(uint8_t)rules_of[0], (uint8_t)rules_of[1], rules_of[2], rules_of[3]};
            must(portolan_world_new(width, height, weights, weight_count, rules, &world));
            must(portolan_planner_new(world, line + 8, &planner));
        } else if (sscanf(line, "many %u", &n[0]) == 1) {
            left = n[0];
            known = 0;
        } else if (sscanf(line, "find %u %u %u %u %u", &n[0], &n[1], &n[2], &n[3], &n[4]) == 5 ||
                   sscanf(line, "plan %u %u %u %u %u", &n[0], &n[1], &n[2], &n[3], &n[4]) == 5) {
            PortolanQuery query = {{(uint16_t)n[0], (uint16_t)n[1]}, {(uint16_t)n[2], (uint16_t)n[3]}, n[4] == 1, 0};
            if (left > 0) {
                queries[known++] = query;
                if (--left == 0) {
                    find_many(queries, known);
                }
            } else if (line[0] == 'f') {
                find(query);
            } else {
                plan(query);
            }
        } else if (sscanf(line, "terrain %u %u %u %u %u %u", &n[0], &n[1], &n[2], &n[3], &n[4], &n[5]) == 6) {
            PortolanArea area = {(uint16_t)n[0], (uint16_t)n[1], (uint16_t)n[2], (uint16_t)n[3]};
            change(portolan_edit_terrain(area, (uint8_t)n[4], (uint8_t)n[5]));
        } else if (sscanf(line, "border %u %u %u %u %u %u", &n[0], &n[1], &n[2], &n[3], &n[4], &n[5]) == 6) {
            PortolanArea area = {(uint16_t)n[0], (uint16_t)n[1], (uint16_t)n[2], (uint16_t)n[3]};
            change(portolan_edit_border(area, (uint8_t)n[4], (uint8_t)n[5]));
        } else if (sscanf(line, "link %u %u %u %u %u %u", &n[0], &n[1], &n[2], &n[3], &n[4], &n[5]) == 6) {
            PortolanCell from = {(uint16_t)n[0], (uint16_t)n[1]}, to = {(uint16_t)n[2], (uint16_t)n[3]};
            change(portolan_edit_link(from, to, n[4], n[5] == 1));
        } else {
            fprintf(stderr, "what is this line? %s\n", line);
            return 1;
        }
    }
    end_case();
    return 0;
}
