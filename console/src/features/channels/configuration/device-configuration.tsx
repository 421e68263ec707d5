import { IconPencil } from "@tabler/icons-react";
import { channelSettings, type DeviceSetup } from "@telltale/contract/domains/channel-settings";
import { channels } from "@telltale/contract/domains/channels";
import { type DeviceHeader, devices, Model } from "@telltale/contract/domains/devices";
import { modbus } from "@telltale/contract/domains/modbus";
import { LiveCommand } from "@telltale/contract/live";
import { type Zone, zoneOf } from "@telltale/contract/text/wall-clock";
import type { ReactNode } from "react";
import { DeviceListLink, detailLink } from "../../../domain/devices/device-links.tsx";
import { useLiveRefetch } from "../../../session/live/use-live-refetch.ts";
import { useSession } from "../../../session/session.ts";
import { useCall } from "../../../session/use-call.ts";
import { Button } from "../../../ui/control/button.tsx";
import { ZonedPage } from "../../../ui/format/page-zone.tsx";
import { ErrorState } from "../../../ui/page/message.tsx";
import { PageTitle } from "../../../ui/page/page-title.tsx";
import { Panel } from "../../../ui/page/panel.tsx";
import { Link } from "../../../ui/router/link.tsx";
import { StatusLabel } from "../../../ui/status/status-label.tsx";
import { ModbusView } from "../registers/modbus-view.tsx";
import { LoadedSetup } from "../setup/setup-form.tsx";
import { type Setup, useSetup } from "../setup/use-setup.ts";
import { ChannelSettings } from "./channel-settings.tsx";
import classes from "./device-configuration.module.css";
import { HeaderFacts } from "./header-facts.tsx";

type State = Pick<DeviceSetup, "isPending" | "savedTime" | "savedBy" | "confirmedTime">;

const by = (name: string): string => (name === "" ? "" : ` by ${name}`);

/** Whether the device has applied the saved settings: pending until it confirms them, then applied. Empty when nothing was ever saved. */
const SettingsState = ({ setup, zone }: { setup: State | undefined; zone: Zone }): ReactNode => {
  if (!setup?.savedTime) return null;
  const { isPending, savedTime, savedBy, confirmedTime } = setup;
  const saved = `Saved ${zone.stamp(savedTime)}${by(savedBy)}`;
  return (
    <span className={classes.state} role="status" title={saved}>
      {isPending ? (
        <StatusLabel glyph="clock" tone="strong" label={`Pending since ${zone.stamp(savedTime)}`} />
      ) : (
        <StatusLabel glyph="tick" tone="plain" label={`Applied ${zone.stamp(confirmedTime ?? savedTime)}`} />
      )}
    </span>
  );
};

/** Explains pending settings; stays for a device that never confirms. */
const PendingNote = ({ setup }: { setup: State | undefined }): ReactNode =>
  setup?.isPending && (
    <p className={classes.note}>
      The settings were saved{by(setup.savedBy)} and apply here since then; the device has not confirmed them yet. They
      are sent again when it connects.
    </p>
  );

const calls = [devices.header, channels.info, channels.outputSources, channelSettings.setup, ...Object.values(modbus)];

/** Refetches a device's configuration when its alerts, its connection or its settings change; and its head, which names its master, with that. */
const useConfigurationRefetch = ({ deviceId, parentDeviceId }: DeviceHeader): void => {
  useLiveRefetch(
    calls,
    [LiveCommand.alertChange, LiveCommand.dashboardChange],
    (change) => change.deviceId === undefined || change.deviceId === deviceId,
  );
  useLiveRefetch([devices.header], [LiveCommand.dashboardChange], (change) => change.deviceId === parentDeviceId);
};

interface DeviceConfigurationProps {
  deviceId: number;
  /** Requested with `edit=no`. */
  isReadOnly: boolean;
  /** Opens the dialog of the device's own settings. */
  onEditInfo: (device: DeviceHeader) => void;
}

type TitleProps = Omit<DeviceConfigurationProps, "deviceId"> & { header: DeviceHeader | undefined };

const Buttons = ({ header, isReadOnly, onEditInfo }: TitleProps & { header: DeviceHeader }) => (
  <>
    {!isReadOnly && (
      <Button
        variant="default"
        size="xs"
        leftSection={<IconPencil size={15} stroke={1.8} aria-hidden />}
        onClick={() => onEditInfo(header)}
      >
        Edit info
      </Button>
    )}
    <Button variant="default" size="xs" component={Link} {...detailLink(header)}>
      Device detail
    </Button>
  </>
);

const Title = (props: TitleProps) => {
  const { header, isReadOnly } = props;
  return (
    <PageTitle aside={header && <Buttons {...props} header={header} />}>
      <small>{isReadOnly ? <DeviceListLink /> : <Link to="/configureDevices">CONFIGURATION-DEVICE</Link>} /</small>{" "}
      {header?.deviceSn} {isReadOnly && <small>/ Configuration{header && ", read-only"}</small>}
    </PageTitle>
  );
};

interface ChannelsProps {
  header: DeviceHeader;
  isReadOnly: boolean;
  setup: Setup;
  zone: Zone;
}

/** A motor controller is configured at the controller itself; other devices here, by accounts that may. */
const Channels = ({ header: { deviceId, typeId }, isReadOnly, setup, zone }: ChannelsProps) => {
  if (typeId === Model.motorController) return <ModbusView deviceId={deviceId} zone={zone} />;
  return isReadOnly ? <ChannelSettings deviceId={deviceId} /> : <LoadedSetup setup={setup} />;
};

const Loaded = ({ header, isReadOnly }: { header: DeviceHeader; isReadOnly: boolean }) => {
  const { deviceId } = header;
  useConfigurationRefetch(header);
  const setup = useSetup(deviceId);
  const zone = zoneOf(header.timeZoneId);
  return (
    <ZonedPage zone={zone}>
      <div className={classes.page}>
        <Panel
          title={header.deviceName}
          aside={
            <>
              <SettingsState setup={setup.live} zone={zone} />
              <span className={classes.zone}>Times in {zone.name}</span>
            </>
          }
        >
          <HeaderFacts header={header} zone={zone} />
          <PendingNote setup={setup.live} />
        </Panel>
        <Channels {...{ header, isReadOnly, setup, zone }} />
      </div>
    </ZonedPage>
  );
};

/** A device's configuration: its head, and below it what its model offers. (spec 2 §2) */
export const DeviceConfiguration = ({
  deviceId,
  isReadOnly: isOnlyForReading,
  onEditInfo,
}: DeviceConfigurationProps) => {
  const { can } = useSession();
  // Another device must not be used as placeholder data.
  const { data, error, refetch } = useCall(devices.header, { deviceId }, { placeholderData: undefined });
  const isReadOnly = isOnlyForReading || !can("devices.configure");
  return (
    <>
      <Title header={data} {...{ isReadOnly, onEditInfo }} />
      {data && <Loaded header={data} isReadOnly={isReadOnly} />}
      {error && !data && (
        <Panel>
          <ErrorState error={error} onRetry={() => void refetch()} />
        </Panel>
      )}
      {!data && !error && (
        <div className={classes.page} aria-busy="true">
          <Panel className={classes.stillHead}>{null}</Panel>
          <Panel className={classes.stillBody}>{null}</Panel>
        </div>
      )}
    </>
  );
};
