import { Tabs, VisuallyHidden } from "@mantine/core";
import { ReadingStatus } from "@telltale/contract/channels";
import { type ModbusChannel, modbus } from "@telltale/contract/modbus";
import { useState } from "react";
import type { Zone } from "../../format/zone.ts";
import { useCall } from "../../session/use-call.ts";
import { Glyph } from "../../ui/glyph.tsx";
import { ErrorState } from "../../ui/message.tsx";
import { Panel } from "../../ui/panel.tsx";
import tabs from "../../ui/tabs.module.css";
import classes from "./modbus-view.module.css";
import { RegisterTable } from "./register-table.tsx";
import { useChannelDetail, useRegisterList } from "./use-registers.ts";

interface ModbusViewProps {
  deviceId: number;
  zone: Zone;
}

const AlarmMark = () => (
  <span className={classes.alarm}>
    <Glyph name="diamond-solid-bang" />
    <VisuallyHidden>Alert</VisuallyHidden>
  </span>
);

const ChannelTab = ({ channelName, status }: ModbusChannel) => (
  <Tabs.Tab value={channelName} rightSection={status === ReadingStatus.alarm && <AlarmMark />}>
    {channelName}
  </Tabs.Tab>
);

interface DetailProps extends ModbusViewProps {
  channelName: string;
}

const ChannelDetail = ({ deviceId, channelName, zone }: DetailProps) => {
  const { data, error, refetch } = useChannelDetail(deviceId, channelName);
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  return <RegisterTable label={channelName} registers={data?.detailSettings} {...{ deviceId, zone }} />;
};

const Channels = ({ deviceId, zone }: ModbusViewProps) => {
  const { data, error, refetch } = useCall(modbus.channelList, { deviceId }, { placeholderData: undefined });
  const [chosen, choose] = useState<string | null>(null);
  const open = chosen ?? data?.[0]?.channelName;
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data || open === undefined) return null;
  return (
    <Tabs value={open} onChange={choose} keepMounted={false} classNames={tabs}>
      <div className={classes.tabs}>
        <Tabs.List aria-label="Channels">
          {data.map((channel) => (
            <ChannelTab key={channel.channelName} {...channel} />
          ))}
        </Tabs.List>
      </div>
      {data.map(({ channelName }) => (
        <Tabs.Panel key={channelName} value={channelName}>
          <ChannelDetail {...{ deviceId, channelName, zone }} />
        </Tabs.Panel>
      ))}
    </Tabs>
  );
};

interface RegistersProps extends ModbusViewProps {
  title: string;
  call: typeof modbus.status | typeof modbus.setpoints;
}

const Registers = ({ title, call, deviceId, zone }: RegistersProps) => {
  const { data, error, refetch } = useRegisterList(call, deviceId);
  return (
    <Panel title={title}>
      {error && !data ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <RegisterTable label={title} registers={data} {...{ deviceId, zone }} />
      )}
    </Panel>
  );
};

/** A motor controller as it reports itself: its channels, its state, and what it is set to. (spec 2 §2) */
export const ModbusView = (props: ModbusViewProps) => (
  <div className={classes.view}>
    <Panel className={classes.channels}>
      <Channels {...props} />
    </Panel>
    <Registers title="Status" call={modbus.status} {...props} />
    <Registers title="Setpoints" call={modbus.setpoints} {...props} />
  </div>
);
