import { VisuallyHidden } from "@mantine/core";
import { ReadingStatus, type ShownSetting } from "@telltale/contract/domains/channels";
import type { ModbusRegister } from "@telltale/contract/domains/modbus";
import type { Zone } from "@telltale/contract/text/wall-clock";
import { isNoData, modbusValue } from "../../../domain/value.ts";
import { useIsLost } from "../../../session/live/live.ts";
import flash from "../../../ui/flash.module.css";
import { missing } from "../../../ui/format/time.ts";
import { SkeletonRows } from "../../../ui/page/skeleton-rows.tsx";
import { Link } from "../../../ui/router/link.tsx";
import { Glyph } from "../../../ui/status/glyph.tsx";
import { useFlash } from "../../../ui/status/use-flash.ts";
import classes from "./register-table.module.css";

type ShownRegister = ModbusRegister & { settings?: ShownSetting[] };

interface RegisterTableProps {
  label: string;
  /** Undefined while they load. */
  registers: readonly ShownRegister[] | undefined;
  deviceId: number;
  zone: Zone;
}

const stateOf = (register: ModbusRegister): "none" | "alarm" | undefined => {
  if (isNoData(register)) return "none";
  return register.status === ReadingStatus.alarm ? "alarm" : undefined;
};

/** A register's value in its own format; it flashes when it changes. (spec 1 §5) */
const Value = ({ register }: { register: ModbusRegister }) => {
  const { keywords } = register;
  const { text, unit } = modbusValue({ ...register, channelCn: keywords, channelName: keywords });
  const element = useFlash<HTMLSpanElement>(text);
  const state = stateOf(register);
  return (
    <>
      <td className={classes.value} data-state={state}>
        <span ref={element} className={flash.flash}>
          {state === "alarm" && (
            <>
              <Glyph name="diamond-solid-bang" />
              <VisuallyHidden>Alert</VisuallyHidden>
            </>
          )}
          {text}
        </span>
      </td>
      <td className={classes.unit}>{unit}</td>
    </>
  );
};

const settingOf = ({ settings }: ShownRegister, name: string): string | undefined =>
  settings?.find((setting) => setting.name === name)?.nameVal;

/** The settings that an operator needs here, limited to those that any of these registers has. */
const settingsShown = (registers: readonly ShownRegister[]): string[] =>
  ["Report Interval", "Higher Alarm"].filter((name) => registers.some((register) => settingOf(register, name)));

type RowProps = Pick<RegisterTableProps, "deviceId" | "zone"> & { register: ShownRegister; settings: string[] };

const Row = ({ register, settings, deviceId, zone }: RowProps) => {
  const { deviceChannelId, keywords, updateTime } = register;
  const updated = updateTime ? zone.stamp(updateTime) : missing;
  return (
    <tr>
      <th scope="row">
        <Link to="/devicesDetail" search={{ deviceId, deviceChannelId }} title={`History of ${keywords}`}>
          {keywords}
        </Link>
      </th>
      <Value register={register} />
      {settings.map((name) => (
        <td key={name} className={classes.wide}>
          {settingOf(register, name) ?? missing}
        </td>
      ))}
      <td className={classes.updated}>{updated}</td>
    </tr>
  );
};

/** Registers with their values; each links to its history. */
export const RegisterTable = ({ label, registers, deviceId, zone }: RegisterTableProps) => {
  const settings = settingsShown(registers ?? []);
  return (
    <table className={classes.table} aria-label={label} aria-busy={!registers} data-lost={useIsLost() || undefined}>
      <thead>
        <tr>
          <th>KEYWORD</th>
          <th className={classes.figure}>VALUE</th>
          <th className={classes.unit}>UNIT</th>
          {settings.map((name) => (
            <th key={name} className={classes.wide}>
              {name}
            </th>
          ))}
          <th className={classes.updated}>LAST UPDATED</th>
        </tr>
      </thead>
      <tbody>
        {registers?.map((register) => (
          <Row key={register.deviceChannelId} {...{ register, settings, deviceId, zone }} />
        )) ?? <SkeletonRows columns={[0.7, 0.5, 0.3, 0.6]} rows={3} />}
      </tbody>
    </table>
  );
};
