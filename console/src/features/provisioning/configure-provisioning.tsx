import { IconPlus } from "@tabler/icons-react";
import { KeyState, type ProvisioningKeyRow, provisioning } from "@telltale/contract/domains/fleet/provisioning";
import { type ReactNode, useMemo, useState } from "react";
import { useConfirmedAction } from "../../form/use-confirmed-action.tsx";
import { useRecordsRefetch } from "../../session/live/use-live-refetch.ts";
import { useSession } from "../../session/session.ts";
import { ListScreen } from "../../table/list-screen.tsx";
import { usePages } from "../../table/use-pages.ts";
import { Button } from "../../ui/control/button.tsx";
import { SecretDialog } from "../../ui/dialog/secret-dialog.tsx";
import { ListHead } from "../../ui/page/list-head.tsx";
import { Link } from "../../ui/router/link.tsx";
import { KeyDialog, type NewKey } from "./key-dialog.tsx";
import { keyLooks, provisioningColumns } from "./provisioning-columns.tsx";

const requestWith = ({ provisionKey, secret }: NewKey): string =>
  JSON.stringify(
    { deviceName: "SERIAL NUMBER", provisionDeviceKey: provisionKey, provisionDeviceSecret: secret },
    null,
    2,
  );

const meanings = [
  [keyLooks[KeyState.valid], "devices get their access token with it"],
  [keyLooks[KeyState.full], "has added as many devices as it may"],
  [keyLooks[KeyState.expired], "its time is over"],
  [keyLooks[KeyState.revoked], "refuses all devices; those that it has added stay"],
] as const;

const keyOf = ({ provisioningKeyId }: ProvisioningKeyRow) => provisioningKeyId;
const noFilter = {};

/** Keys with which devices register themselves in the plant. */
export const ConfigureProvisioning = (): ReactNode => {
  const pages = usePages(provisioning.list, noFilter);
  useRecordsRefetch([provisioning.list], ["provisioningKey"]);
  const isEditor = useSession().can("provisioning.write");
  const [form, setForm] = useState({ count: 0, isOpen: false });
  const [made, setMade] = useState<{ key: NewKey; isOpen: boolean }>();
  const { ask: revoke, dialog: revocation } = useConfirmedAction({
    call: provisioning.revoke,
    inputOf: ({ provisioningKeyId }: ProvisioningKeyRow) => ({ provisioningKeyId }),
    invalidates: [provisioning.list],
    success: "Key revoked",
    title: () => "Revoke provisioning key",
    action: () => "Revoke",
    question: ({ keyName }) => (
      <>
        Are you sure that you want to revoke {keyName}?
        <p>No device can register with it any more. Devices that it has added stay.</p>
      </>
    ),
  });
  const columns = useMemo(() => provisioningColumns(isEditor ? revoke : undefined), [isEditor, revoke]);
  const add = isEditor && (
    <Button
      size="xs"
      leftSection={<IconPlus size={16} aria-hidden />}
      onClick={() => setForm(({ count }) => ({ count: count + 1, isOpen: true }))}
      data-shortcut="add"
    >
      Add key
    </Button>
  );
  return (
    <>
      <ListHead
        title="CONFIGURATION-PROVISIONING"
        legendKey="telltale-provisioning-legend"
        meanings={meanings}
        onRefresh={pages.refetch}
        action={add}
      />
      <ListScreen
        label="Provisioning keys"
        pages={pages}
        columns={columns}
        rowKey={keyOf}
        empty="There are no provisioning keys: each device is added by its ID"
      />
      {form.count > 0 && (
        <KeyDialog
          key={form.count}
          isOpen={form.isOpen}
          onClose={() => setForm((old) => ({ ...old, isOpen: false }))}
          onMade={(key) => setMade({ key, isOpen: true })}
        />
      )}
      {made && (
        <SecretDialog
          isOpen={made.isOpen}
          onClose={() => setMade({ ...made, isOpen: false })}
          title="Key and secret"
          intro="Each device sends this with its own serial number, and gets its access token. Copy it now: the secret is not shown again."
          secret={requestWith(made.key)}
        >
          By MQTT with the user name <b>provision</b>, or by HTTP:{" "}
          <Link to="/support" search={{ tab: "documentation", tutorial: "connect-a-device" }}>
            Connect a device
          </Link>
        </SecretDialog>
      )}
      {revocation}
    </>
  );
};
