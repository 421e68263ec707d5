import { KeyState, type ProvisioningKeyRow, provisioning } from "@telltale/contract/domains/fleet/provisioning";
import { type ReactNode, useMemo } from "react";
import { useConfirmedAction } from "../../form/use-confirmed-action.tsx";
import { useRecordsRefetch } from "../../session/live/use-live-refetch.ts";
import { useSession } from "../../session/session.ts";
import { ListPage } from "../../table/list-page.tsx";
import { usePages } from "../../table/use-pages.ts";
import { SecretDialog } from "../../ui/dialog/secret-dialog.tsx";
import { useDialogSubject } from "../../ui/dialog/use-dialog-subject.ts";
import { Link } from "../../ui/router/link.tsx";
import { ExpectedDevices } from "./expected-devices.tsx";
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

/** Keys with which devices register themselves in the plant, and the devices that are expected to. */
export const ConfigureProvisioning = (): ReactNode => {
  const pages = usePages(provisioning.list, noFilter);
  useRecordsRefetch([provisioning.list], ["provisioningKey"]);
  const expected = usePages(provisioning.expected, noFilter);
  const isEditor = useSession().can("provisioning.write");
  const form = useDialogSubject();
  const made = useDialogSubject<NewKey>();
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
  return (
    <ListPage
      title="CONFIGURATION-PROVISIONING"
      legendKey="telltale-provisioning-legend"
      meanings={meanings}
      add={isEditor ? { label: "Add key", onClick: () => form.open() } : undefined}
      label="Provisioning keys"
      pages={pages}
      columns={columns}
      rowKey={keyOf}
      empty="There are no provisioning keys: each device is added by its ID"
      onRefresh={() => {
        pages.refetch();
        expected.refetch();
      }}
    >
      <ExpectedDevices pages={expected} />
      {form.count > 0 && <KeyDialog key={form.count} isOpen={form.isOpen} onClose={form.close} onMade={made.open} />}
      {made.subject && (
        <SecretDialog
          isOpen={made.isOpen}
          onClose={made.close}
          title="Key and secret"
          intro="Each device sends this with its own serial number, and gets its access token. Copy it now: the secret is not shown again."
          secret={requestWith(made.subject)}
        >
          By MQTT with the user name <b>provision</b>, or by HTTP:{" "}
          <Link to="/support" search={{ tab: "documentation", tutorial: "connect-a-device" }}>
            Connect a device
          </Link>
        </SecretDialog>
      )}
      {revocation}
    </ListPage>
  );
};
