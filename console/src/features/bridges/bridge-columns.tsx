import { IconPencil, IconPlugConnected, IconTrash } from "@tabler/icons-react";
import {
  type BridgeRow,
  type BridgeState,
  bridgeFormatLabels,
  bridgeStateOf,
} from "@telltale/contract/domains/readings/bridges";
import { count } from "@telltale/contract/text/counted";
import { CellName, type Column, NarrowText, operationColumn } from "../../table/column.tsx";
import { recent } from "../../ui/format/time.ts";
import { OperationButton, Operations } from "../../ui/operation-button.tsx";
import { StatusLabel, type StatusLook } from "../../ui/status/status-label.tsx";
import classes from "./bridges.module.css";

/** Row operations of a bridge. */
export interface BridgeOperations {
  test: (bridge: BridgeRow) => void;
  edit: (bridge: BridgeRow) => void;
  remove: (bridge: BridgeRow) => void;
}

/** How a bridge's state is shown. Red is reserved for equipment. */
export const bridgeLooks = {
  connected: { label: "Connected", glyph: "ring-tick", tone: "plain" },
  connecting: { label: "Connecting", glyph: "ring-dashed", tone: "plain" },
  failing: { label: "Failing", glyph: "ring-x", tone: "strong" },
  off: { label: "Off", glyph: "ring-dashed", tone: "inactive" },
} satisfies Record<BridgeState, StatusLook>;

/** Since when it fails and why, or when it last published; and what it has lost or had refused. */
const Publishing = ({ bridge }: { bridge: BridgeRow }) => {
  const { failingSince, fault, publishedTime, refused, lost, lostTime } = bridge;
  const parts = [
    failingSince === null ? "" : `Since ${recent(failingSince)}: ${fault}`,
    failingSince === null && publishedTime !== null ? `Last ${recent(publishedTime)}` : "",
    refused === 0 ? "" : `${count(refused)} refused by the broker`,
    lost === 0 || lostTime === null ? "" : `${count(lost)} waited too long and were lost, last ${recent(lostTime)}`,
  ].filter(Boolean);
  const text = parts.join(". ") || "Nothing published yet";
  return <span className={classes.says}>{text}</span>;
};

/** How many readings and alerts wait. */
const Behind = ({ bridge: { behind, behindSince } }: { bridge: BridgeRow }) => (
  <span title={behindSince === null ? undefined : `The oldest waits since ${recent(behindSince)}`}>
    {count(behind)} <NarrowText>behind</NarrowText>
  </span>
);

/** The columns of the bridges; without `operations` the list is read-only. */
export const bridgeColumns = (operations: BridgeOperations | undefined): Column<BridgeRow>[] => [
  {
    key: "status",
    head: "STATUS",
    width: 124,
    least: 118,
    narrow: "top",
    cell: (bridge) => <StatusLabel {...bridgeLooks[bridgeStateOf(bridge)]} />,
  },
  {
    key: "name",
    head: "NAME",
    width: 150,
    least: 100,
    narrow: "top-main",
    cell: ({ bridgeName, url }) => <CellName title={`${bridgeName}, ${url}`}>{bridgeName}</CellName>,
  },
  {
    key: "format",
    head: "FORMAT",
    width: 106,
    least: 96,
    cell: ({ format }) => bridgeFormatLabels[format],
  },
  {
    key: "devices",
    head: "DEVICES",
    width: 90,
    least: 84,
    cell: ({ allDevices, deviceIds }) => (allDevices ? "All" : count(deviceIds.length)),
  },
  {
    key: "published",
    head: "PUBLISHED",
    width: 104,
    least: 96,
    cell: ({ published }) => count(published),
  },
  {
    key: "behind",
    head: "BEHIND",
    width: 96,
    least: 84,
    narrow: "top-end",
    cell: (bridge) => <Behind bridge={bridge} />,
  },
  {
    key: "state",
    head: "PUBLISHING",
    width: 360,
    least: 180,
    narrow: "below-main",
    cell: (bridge) => <Publishing bridge={bridge} />,
  },
  ...operationColumn<BridgeRow, BridgeOperations>(
    operations,
    { width: 128, least: 120 },
    (bridge, { test, edit, remove }) => (
      <Operations>
        <OperationButton
          label={`Test the connection of ${bridge.bridgeName}`}
          icon={IconPlugConnected}
          onClick={() => test(bridge)}
        />
        <OperationButton label={`Edit ${bridge.bridgeName}`} icon={IconPencil} onClick={() => edit(bridge)} />
        <OperationButton label={`Delete ${bridge.bridgeName}`} icon={IconTrash} onClick={() => remove(bridge)} />
      </Operations>
    ),
  ),
];
