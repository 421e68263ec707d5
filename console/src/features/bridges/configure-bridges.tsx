import { IconPlus } from "@tabler/icons-react";
import { type BridgeRow, bridgeDays, bridges } from "@telltale/contract/domains/readings/bridges";
import { type ReactNode, useMemo, useState } from "react";
import { useRemoval } from "../../form/use-removal.tsx";
import { useRecordsRefetch } from "../../session/live/use-live-refetch.ts";
import { useSession } from "../../session/session.ts";
import { useAction } from "../../session/use-call.ts";
import { ListScreen } from "../../table/list-screen.tsx";
import { usePages } from "../../table/use-pages.ts";
import { Button } from "../../ui/control/button.tsx";
import { ListHead } from "../../ui/page/list-head.tsx";
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

interface Opened {
  count: number;
  isOpen: boolean;
  bridge?: BridgeRow | undefined;
}

/** Other MQTT brokers that values and alerts are published to. */
export const ConfigureBridges = (): ReactNode => {
  const pages = usePages(bridges.list, noFilter);
  useRecordsRefetch([bridges.list], ["bridge"]);
  const isEditor = useSession().can("bridges.write");
  const [form, setForm] = useState<Opened>({ count: 0, isOpen: false });
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
  const columns = useMemo(() => {
    const edit = (bridge: BridgeRow) => setForm(({ count }) => ({ count: count + 1, isOpen: true, bridge }));
    return bridgeColumns(isEditor ? { edit, remove, test: ({ bridgeId }) => test({ bridgeId }) } : undefined);
  }, [isEditor, remove, test]);
  const add = isEditor && (
    <Button
      size="xs"
      leftSection={<IconPlus size={16} aria-hidden />}
      onClick={() => setForm(({ count }) => ({ count: count + 1, isOpen: true }))}
      data-shortcut="add"
    >
      Add bridge
    </Button>
  );
  return (
    <>
      <ListHead
        title="CONFIGURATION-BRIDGES"
        legendKey="telltale-bridge-legend"
        meanings={meanings}
        onRefresh={pages.refetch}
        action={add}
      />
      <ListScreen
        label="Bridges"
        pages={pages}
        columns={columns}
        rowKey={keyOf}
        empty="There are no bridges: values and alerts stay here"
      />
      {form.count > 0 && (
        <BridgeDialog
          key={form.count}
          isOpen={form.isOpen}
          onClose={() => setForm((old) => ({ ...old, isOpen: false }))}
          bridge={form.bridge}
        />
      )}
      {removal}
    </>
  );
};
