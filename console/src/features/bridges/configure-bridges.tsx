import { type BridgeRow, bridgeDays, bridges } from "@telltale/contract/domains/readings/bridges";
import { type ReactNode, useMemo } from "react";
import { useRemoval } from "../../form/use-confirmed-action.tsx";
import { useRecordsRefetch } from "../../session/live/use-live-refetch.ts";
import { useSession } from "../../session/session.ts";
import { useAction } from "../../session/use-call.ts";
import { ListPage } from "../../table/list-page.tsx";
import { usePages } from "../../table/use-pages.ts";
import { useDialogSubject } from "../../ui/dialog/use-dialog-subject.ts";
import { bridgeColumns, bridgeLooks } from "./bridge-columns.tsx";
import { BridgeDialog } from "./bridge-dialog.tsx";

const meanings = [
  [bridgeLooks.connected, "publishes what arrives"],
  [bridgeLooks.connecting, "has just been saved"],
  [bridgeLooks.failing, `does not reach its broker; what arrives waits for ${bridgeDays} days`],
  [bridgeLooks.off, "publishes nothing"],
] as const;

const keyOf = ({ bridgeId }: BridgeRow) => bridgeId;
const noFilter = {};

/** Other MQTT brokers that values and alerts are published to. */
export const ConfigureBridges = (): ReactNode => {
  const pages = usePages(bridges.list, noFilter);
  useRecordsRefetch([bridges.list], ["bridge"]);
  const isEditor = useSession().can("bridges.write");
  const { open: edit, ...form } = useDialogSubject<BridgeRow | undefined>();
  const { ask: remove, dialog: removal } = useRemoval({
    call: bridges.remove,
    inputOf: ({ bridgeId }: BridgeRow) => ({ bridgeId }),
    invalidates: [bridges.list],
    title: "Delete bridge",
    question: ({ bridgeName }) => (
      <>
        Are you sure that you want to delete this Bridge?
        <p>{bridgeName} publishes nothing any more, and what waits for its broker is dropped.</p>
      </>
    ),
  });
  const { mutate: test } = useAction(bridges.test, {
    success: "The broker accepts the connection",
    invalidates: [bridges.list],
  });
  const columns = useMemo(
    () => bridgeColumns(isEditor ? { edit, remove, test: ({ bridgeId }) => test({ bridgeId }) } : undefined),
    [isEditor, edit, remove, test],
  );
  return (
    <ListPage
      title="CONFIGURATION-BRIDGES"
      legendKey="telltale-bridge-legend"
      meanings={meanings}
      add={isEditor ? { label: "Add bridge", onClick: () => edit(undefined) } : undefined}
      label="Bridges"
      pages={pages}
      columns={columns}
      rowKey={keyOf}
      empty="There are no bridges: values and alerts stay here"
    >
      {form.count > 0 && (
        <BridgeDialog key={form.count} isOpen={form.isOpen} onClose={form.close} bridge={form.subject} />
      )}
      {removal}
    </ListPage>
  );
};
