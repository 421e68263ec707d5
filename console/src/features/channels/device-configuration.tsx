import { Button } from "@mantine/core";
import { IconPencil } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { channels, type DeviceHeader } from "@telltale/contract/channels";
import { Model } from "@telltale/contract/devices";
import { type Zone, zoneOf } from "../../format/zone.ts";
import { useSession } from "../../session/session.ts";
import { useCall } from "../../session/use-call.ts";
import { DeviceListLink } from "../../table/device-list-link.tsx";
import { detailOf } from "../../table/device-place.ts";
import { ErrorState } from "../../ui/message.tsx";
import { PageTitle } from "../../ui/page-title.tsx";
import { Panel } from "../../ui/panel.tsx";
import { ChannelSettings } from "./channel-settings.tsx";
import classes from "./device-configuration.module.css";
import { HeaderFacts } from "./header-facts.tsx";
import { ModbusView } from "./modbus-view.tsx";
import { PendingNote, SettingsState } from "./setup/settings-state.tsx";
import { LoadedSetup } from "./setup/setup-form.tsx";
import { type Setup, useSetup } from "./setup/use-setup.ts";
import { useConfigurationRefetch } from "./use-configuration-refetch.ts";

interface DeviceConfigurationProps {
  deviceId: number;
  /** Asked for with `edit=no`. */
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
    <Button variant="default" size="xs" component={Link} {...detailOf(header)}>
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

/** A motor controller is set up at the controller itself; anything else here, by whoever may. */
const Channels = ({ header: { deviceId, typeId }, isReadOnly, setup, zone }: ChannelsProps) => {
  if (typeId === Model.motorController) return <ModbusView deviceId={deviceId} zone={zone} />;
  return isReadOnly ? <ChannelSettings deviceId={deviceId} /> : <LoadedSetup setup={setup} />;
};

const Loaded = ({ header, isReadOnly }: { header: DeviceHeader; isReadOnly: boolean }) => {
  const { deviceId } = header;
  useConfigurationRefetch(deviceId);
  const setup = useSetup(deviceId);
  const zone = zoneOf(header.timeZoneId);
  return (
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
  );
};

/** How a device is set up: its head, and below it what fits its model. (spec 2 §2) */
export const DeviceConfiguration = ({
  deviceId,
  isReadOnly: isAskedReadOnly,
  onEditInfo,
}: DeviceConfigurationProps) => {
  const { can } = useSession();
  // Another device must not stand in for this one.
  const { data, error, refetch } = useCall(channels.header, { deviceId }, { placeholderData: undefined });
  const isReadOnly = isAskedReadOnly || !can("devices.configure");
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
