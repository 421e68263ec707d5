import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { channels, type DeviceHeader } from "@telltale/contract/channels";
import { Model } from "@telltale/contract/devices";
import { zoneOf } from "../../format/zone.ts";
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
import { useConfigurationRefetch } from "./use-configuration-refetch.ts";

const Title = ({ header }: { header: DeviceHeader | undefined }) => (
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
    {header?.deviceSn} <small>/ Configuration, read-only</small>
  </PageTitle>
);

const Loaded = ({ header }: { header: DeviceHeader }) => {
  const { deviceId } = header;
  useConfigurationRefetch(deviceId);
  const zone = zoneOf(header.timeZoneId);
  return (
    <div className={classes.page}>
      <Panel title={header.deviceName} aside={<span className={classes.zone}>Times in {zone.name}</span>}>
        <HeaderFacts header={header} zone={zone} />
      </Panel>
      {header.typeId === Model.motorController ? (
        <ModbusView deviceId={deviceId} zone={zone} />
      ) : (
        <ChannelSettings deviceId={deviceId} />
      )}
    </div>
  );
};

/** How a device is set up: its head, and below it what fits its model. (spec 2 §2) */
export const DeviceConfiguration = ({ deviceId }: { deviceId: number }) => {
  // Another device must not stand in for this one.
  const { data, error, refetch } = useCall(channels.header, { deviceId }, { placeholderData: undefined });
  return (
    <>
      <Title header={data} />
      {data && <Loaded header={data} />}
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
