import { type JointCommand, joint } from "@telltale/contract/domains/joint";
import { LiveCommand } from "@telltale/contract/live";
import type { ReactNode } from "react";
import { useLiveRefetch } from "../../session/live/use-live-refetch.ts";
import type { Column } from "../../table/column.tsx";
import { ListScreen } from "../../table/list-screen.tsx";
import { usePages } from "../../table/use-pages.ts";
import { orMissing, recent } from "../../ui/format/time.ts";
import classes from "./joint.module.css";
import { levelLabel } from "./joint-text.ts";
import { Result } from "./result.tsx";

const columns: readonly Column<JointCommand>[] = [
  { key: "created", head: "DRIVEN", width: 150, narrow: "top-main", cell: ({ createdTime }) => recent(createdTime) },
  { key: "level", head: "TO", width: 60, narrow: "top-end", cell: ({ level }) => levelLabel(level) },
  { key: "result", head: "RESULT", width: 320, narrow: "below-main", cell: (row) => <Result command={row} /> },
  {
    key: "settled",
    head: "AT",
    width: 150,
    narrow: "below-end",
    cell: ({ settledTime }) => orMissing(settledTime, recent),
  },
];

const keyOfCommand = (row: JointCommand) => row.commandId;

/** The commands of a joint control, newest first. */
export const JointLog = ({ jointId }: { jointId: number }): ReactNode => {
  const pages = usePages(joint.log, { jointId });
  useLiveRefetch([joint.log], [LiveCommand.jointChange]);
  return (
    <section className={classes.log}>
      <h2>What it has driven</h2>
      <ListScreen
        label="Commands"
        pages={pages}
        columns={columns}
        rowKey={keyOfCommand}
        empty="It has not driven its output yet"
      />
    </section>
  );
};
