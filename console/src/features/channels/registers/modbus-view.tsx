import { Tabs, VisuallyHidden } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { ReadingStatus } from "@telltale/contract/domains/channels";
import { type ModbusChannel, type ModbusRegister, modbus } from "@telltale/contract/domains/modbus";
import { LiveCommand, type LiveValue } from "@telltale/contract/live";
import type { Zone } from "@telltale/contract/text/wall-clock";
import { useState } from "react";
import { useLive, useWatchedChannels } from "../../../session/live/live.ts";
import { LostLine } from "../../../session/live/lost-line.tsx";
import { callQuery, useCall } from "../../../session/use-call.ts";
import { ErrorState } from "../../../ui/page/message.tsx";
import { Panel } from "../../../ui/page/panel.tsx";
import { Glyph } from "../../../ui/status/glyph.tsx";
import tabs from "../../../ui/tabs.module.css";
import classes from "./modbus-view.module.css";
import { RegisterTable } from "./register-table.tsx";

/** The registers with a new reading applied; the same list when the reading belongs to none of them. */
export const withReading = <R extends ModbusRegister>(
  registers: R[],
  { deviceChannelId, value, status, updateTime }: LiveValue,
): R[] => {
  if (!registers.some((register) => register.deviceChannelId === deviceChannelId)) return registers;
  const reading = { value, status, updateTime: new Date(updateTime) };
  return registers.map((register) =>
    register.deviceChannelId === deviceChannelId ? { ...register, ...reading } : register,
  );
};

// Another device's registers, or another channel's, must not be used as placeholder data.
const own = { placeholderData: undefined };

const idsOf = (registers: readonly { deviceChannelId: number }[] = []): number[] =>
  registers.map(({ deviceChannelId }) => deviceChannelId);

/** The registers of one of the two lists that are separate from the channels, kept up to date. */
const useRegisterList = (call: typeof modbus.status | typeof modbus.setpoints, deviceId: number) => {
  const queries = useQueryClient();
  const { queryKey } = callQuery(call, { deviceId });
  useLive(LiveCommand.value, (reading) => queries.setQueryData(queryKey, (old) => old && withReading(old, reading)));
  const list = useCall(call, { deviceId }, own);
  useWatchedChannels(idsOf(list.data));
  return list;
};

/** The registers of one channel with their settings, kept up to date. */
const useChannelDetail = (deviceId: number, channelName: string) => {
  const queries = useQueryClient();
  const { queryKey } = callQuery(modbus.channelDetail, { deviceId, channelName });
  useLive(LiveCommand.value, (reading) =>
    queries.setQueryData(queryKey, (old) => {
      const registers = old && withReading(old.detailSettings, reading);
      return registers === old?.detailSettings ? old : old && registers && { ...old, detailSettings: registers };
    }),
  );
  const detail = useCall(modbus.channelDetail, { deviceId, channelName }, own);
  useWatchedChannels(idsOf(detail.data?.detailSettings));
  return detail;
};

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

/** A motor controller as it reports itself: its channels, state and settings. (spec 2 §2) */
export const ModbusView = (props: ModbusViewProps) => (
  <>
    <LostLine />
    <div className={classes.view}>
      <Panel className={classes.channels}>
        <Channels {...props} />
      </Panel>
      <Registers title="Status" call={modbus.status} {...props} />
      <Registers title="Setpoints" call={modbus.setpoints} {...props} />
    </div>
  </>
);
