/* Everything that a caller can do wrong: each is a status and words, and nothing crashes. */
#include "portolan.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPECT(call, status, words)                                                                                    \
    do {                                                                                                               \
        PortolanStatus got = (call);                                                                                   \
        if (got != (status) || strstr(portolan_last_error(), (words)) == NULL) {                                       \
            fprintf(stderr, "line %d: status %d, \"%s\", not %d with \"%s\"\n", __LINE__, got, portolan_last_error(), \
                    (status), (words));                                                                                \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)

#define MUST(call)                                                                                                     \
    do {                                                                                                               \
        if ((call) != PORTOLAN_STATUS_OK) {                                                                            \
            fprintf(stderr, "line %d: %s\n", __LINE__, portolan_last_error());                                         \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)

int main(void) {
    const PortolanStatus argument = PORTOLAN_STATUS_ARGUMENT, handle = PORTOLAN_STATUS_HANDLE;
    PortolanRules rules = portolan_rules_default();
    uint8_t weights[64];
    memset(weights, 1, sizeof weights);
    weights[9] = 0; /* the cell 1,1 */
    PortolanWorld world = {0}, other = {0};
    PortolanPlanner planner = {0}, second = {0};
    PortolanAnswer answer;
    PortolanCell cells[64];

    /* Worlds. */
    EXPECT(portolan_world_new(8, 8, NULL, 64, rules, &world), argument, "`weights` is null");
    EXPECT(portolan_world_new(8, 8, weights, 64, rules, NULL), argument, "`world`, where the result goes, is null");
    EXPECT(portolan_world_new(8, 9, weights, 64, rules, &world), PORTOLAN_STATUS_WORLD, "64");
    EXPECT(portolan_world_new(0, 8, weights, 0, rules, &world), PORTOLAN_STATUS_WORLD, "");
    EXPECT(portolan_world_new(4000000000u, 4000000000u, weights, 64, rules, &world), PORTOLAN_STATUS_WORLD, "");
    PortolanRules odd = rules;
    odd.directions = 5;
    EXPECT(portolan_world_new(8, 8, weights, 64, odd, &world), argument, "`directions` is 5");
    odd = rules;
    odd.corners = 9;
    EXPECT(portolan_world_new(8, 8, weights, 64, odd, &world), argument, "`corners` is 9");
    odd = rules;
    odd.straight = 100;
    odd.diagonal = 1;
    EXPECT(portolan_world_new(8, 8, weights, 64, odd, &world), argument, "");
    if (world.id != 0) {
        return 2; /* a call that fails writes nothing */
    }
    MUST(portolan_world_new(8, 8, weights, 64, rules, &world));

    /* Edits: all or none. */
    PortolanEdit edits[2] = {portolan_edit_terrain((PortolanArea){2, 2, 1, 1}, 0, 0),
                             portolan_edit_terrain((PortolanArea){7, 7, 2, 1}, 0, 0)};
    EXPECT(portolan_world_apply(world, edits, 2), PORTOLAN_STATUS_WORLD, "");
    EXPECT(portolan_world_apply(world, NULL, 2), argument, "`edits`");
    edits[1].change = 77;
    EXPECT(portolan_world_apply(world, edits, 2), argument, "77");
    edits[1] = portolan_edit_border((PortolanArea){0, 0, 1, 1}, 200, 1);
    EXPECT(portolan_world_apply(world, edits, 2), argument, "side");
    edits[1] = portolan_edit_link((PortolanCell){0, 0}, (PortolanCell){99, 0}, 5, true);
    EXPECT(portolan_world_apply(world, edits, 2), PORTOLAN_STATUS_WORLD, "");
    uint8_t now[64];
    MUST(portolan_world_weights(world, now, 64));
    if (memcmp(now, weights, 64) != 0) {
        return 3;
    }

    /* Planners. */
    EXPECT(portolan_planner_new(world, "a-strr", &planner), PORTOLAN_STATUS_ALGORITHM, "a-strr");
    EXPECT(portolan_planner_new(world, "hpa-star cluster=x", &planner), PORTOLAN_STATUS_ALGORITHM, "cluster");
    EXPECT(portolan_planner_new(world, "\xff", &planner), argument, "UTF-8");
    EXPECT(portolan_planner_new(world, "a-star", NULL), argument, "`planner`");
    MUST(portolan_planner_new(world, NULL, &planner)); /* the rules choose */
    MUST(portolan_planner_free(planner));
    MUST(portolan_planner_new(world, "a-star", &planner));
    EXPECT(portolan_planner_open(world, "no/such/file", &second), PORTOLAN_STATUS_CHART, "no/such/file");
    EXPECT(portolan_planner_save(planner, world, "anywhere"), PORTOLAN_STATUS_CHART, "");

    /* Queries. */
    PortolanQuery query = {{0, 0}, {7, 7}, false, 0};
    EXPECT(portolan_find(planner, world, query, cells, 64, NULL), argument, "`answer`");
    EXPECT(portolan_find(planner, world, query, NULL, 64, &answer), argument, "`cells`");
    MUST(portolan_find(planner, world, query, NULL, 0, &answer)); /* no room is no fault: the count is told */
    if (answer.count != 10) { /* two steps along the edge, five slanted, two down */
        return 4;
    }
    EXPECT(portolan_find(planner, world, (PortolanQuery){{0, 0}, {8, 0}, false, 0}, cells, 64, &answer),
           PORTOLAN_STATUS_QUERY, "off the map");
    EXPECT(portolan_find(planner, world, (PortolanQuery){{1, 1}, {7, 7}, false, 0}, cells, 64, &answer),
           PORTOLAN_STATUS_QUERY, "blocked");

    /* Stale planners, planners of other worlds, and worlds of other kinds. */
    MUST(portolan_world_apply(world, edits, 1));
    EXPECT(portolan_find(planner, world, query, cells, 64, &answer), PORTOLAN_STATUS_STALE, "repair or rebuild");
    MUST(portolan_planner_sync(planner, world));
    MUST(portolan_world_new(8, 8, weights, 64, rules, &other));
    EXPECT(portolan_find(planner, other, query, cells, 64, &answer), PORTOLAN_STATUS_STALE, "");
    MUST(portolan_planner_sync(planner, other)); /* built anew for the other world */
    EXPECT(portolan_find(planner, world, query, cells, 64, &answer), PORTOLAN_STATUS_STALE, "");
    MUST(portolan_planner_sync(planner, world));
    PortolanRules hex = rules;
    hex.directions = 6;
    PortolanWorld hexes;
    MUST(portolan_world_new(8, 8, weights, 64, hex, &hexes));
    EXPECT(portolan_find(planner, hexes, query, cells, 64, &answer), PORTOLAN_STATUS_STALE, "");
    EXPECT(portolan_planner_sync(planner, hexes), PORTOLAN_STATUS_STALE, "");
    PortolanBatch batch;
    EXPECT(portolan_find_many(planner, other, &query, 1, 1, &batch), PORTOLAN_STATUS_STALE, "");
    EXPECT(portolan_find_many(planner, world, NULL, 3, 1, &batch), argument, "`queries`");
    MUST(portolan_find_many(planner, world, NULL, 0, 1, &batch));
    MUST(portolan_batch_free(batch));

    /* Handles that name nothing. */
    PortolanRoute route;
    MUST(portolan_plan(planner, world, query, &route, &answer));
    MUST(portolan_world_free(other));
    EXPECT(portolan_world_free(other), handle, "there is no such world");
    EXPECT(portolan_world_size(other, NULL, NULL), handle, "there is no such world");
    EXPECT(portolan_find(planner, other, query, cells, 64, &answer), handle, "there is no such world");
    EXPECT(portolan_find((PortolanPlanner){world.id}, world, query, cells, 64, &answer), handle, "no such planner");
    EXPECT(portolan_world_free((PortolanWorld){planner.id}), handle, "no such world");
    EXPECT(portolan_batch_size(batch, NULL, NULL), handle, "no such batch");
    MUST(portolan_world_free(world)); /* before its planner and its route */
    size_t count;
    EXPECT(portolan_route_next(route, planner, world, cells, 64, &count), handle, "there is no such world");
    MUST(portolan_route_free(route));
    EXPECT(portolan_route_free(route), handle, "there is no such route");
    MUST(portolan_planner_free(planner));
    EXPECT(portolan_planner_free(planner), handle, "there is no such planner");
    MUST(portolan_world_free(hexes));
    printf("%zu algorithms, version %s\n", portolan_algorithm_count(), portolan_version());
    return portolan_algorithm_name(portolan_algorithm_count()) == NULL ? 0 : 5;
}
