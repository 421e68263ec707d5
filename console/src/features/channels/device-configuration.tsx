import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { channels, type DeviceHeader } from "@telltale/contract/channels";
import { Model } from "@telltale/contract/devices";
import { zoneOf } from "../../format/zone.ts";
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
import { useSetup } from "./setup/use-setup.ts";
import { useConfigurationRefetch } from "./use-configuration-refetch.ts";

interface DeviceConfigurationProps {
  deviceId: number;
  /** Asked for with `edit=no`. */
  isReadOnly: boolean;
}

/** A motor controller is set up at the controller itself; anything else by whoever may. */
const useIsEditable = (header: DeviceHeader | undefined, isReadOnly: boolean): boolean => {
  const { can } = useSession();
  return header !== undefined && header.typeId !== Model.motorController && !isReadOnly && can("devices.configure");
};

const Title = ({ header, isEditable }: { header: DeviceHeader | undefined; isEditable: boolean }) => (
  <PageTitle
    aside={
      header && (
        <Button variant="default" size="xs" component={Link} {...detailOf(header)}>
          Device detail
        </Button>
      )
    }
  >
    <small>
      <DeviceListLink /> /
    </small>{" "}
    {header?.deviceSn} <small>/ Configuration{header && !isEditable && ", read-only"}</small>
  </PageTitle>
);

const Loaded = ({ header, isEditable }: { header: DeviceHeader; isEditable: boolean }) => {
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
      {isEditable && <LoadedSetup setup={setup} />}
      {!isEditable && header.typeId === Model.motorController && <ModbusView deviceId={deviceId} zone={zone} />}
      {!isEditable && header.typeId !== Model.motorController && <ChannelSettings deviceId={deviceId} />}
    </div>
  );
};

/** How a device is set up: its head, and below it what fits its model. (spec 2 §2) */
export const DeviceConfiguration = ({ deviceId, isReadOnly }: DeviceConfigurationProps) => {
  // Another device must not stand in for this one.
  const { data, error, refetch } = useCall(channels.header, { deviceId }, { placeholderData: undefined });
  const isEditable = useIsEditable(data, isReadOnly);
  return (
    <>
      <Title header={data} isEditable={isEditable} />
      {data && <Loaded header={data} isEditable={isEditable} />}
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
