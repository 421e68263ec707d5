import { TileKind } from "@telltale/contract/domains/dashboard/tiles";
import { expect, test } from "vitest";
import { type SelectedTile, selectionFields, tileOfChoice, toggleTile } from "./selected-tiles.ts";

const one = (kind: TileKind, id: number): SelectedTile => ({ kind, id, name: "Name", deviceName: "Device" });

test("a second toggle deselects; a group and a channel with the same id are different tiles", () => {
  const channel = one(TileKind.channel, 7);
  const group = one(TileKind.group, 7);
  const both = toggleTile(toggleTile([], channel), group);
  expect(both).toEqual([channel, group]);
  expect(toggleTile(both, { ...channel, name: "renamed since" })).toEqual([group]);
});

test("selected tiles are sent in the field of their kind, in the order of selection", () => {
  const motor = tileOfChoice({
    deviceChannelId: null,
    deviceId: 4,
    channelName: "Drive",
    deviceName: "Drive",
    deviceSnId: "A",
    icon: 14,
  });
  const chosen = [one(TileKind.channel, 9), motor, one(TileKind.channel, 2), one(TileKind.group, 5)];
  expect(selectionFields(chosen)).toEqual({ deviceChannelIds: "9,2", dashboardGroupIds: "5", deviceIds: "4" });
  expect(selectionFields([])).toEqual({ deviceChannelIds: "", dashboardGroupIds: "", deviceIds: "" });
});
