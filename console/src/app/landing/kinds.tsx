import { Analog, analogLabels } from "@telltale/contract/channels";
import type { ReactNode } from "react";
import { ChannelIcon, MotorIcon } from "../../format/channel-icon.tsx";
import classes from "./kinds.module.css";

const analog = [
  Analog.pressure,
  Analog.temperature,
  Analog.humidity,
  Analog.flow,
  Analog.frequency,
  Analog.noise,
  Analog.torque,
  Analog.displacement,
  Analog.speed,
  Analog.vibration,
  Analog.illuminance,
  Analog.acceleration,
  Analog.gasConcentration,
];
const kinds: readonly [label: string, icon: ReactNode][] = [
  ...analog.map((id): [string, ReactNode] => [analogLabels[id], <ChannelIcon key={id} analogId={id} size={20} />]),
  ["Digital input", <ChannelIcon key="di" analogId={Analog.digitalInput} size={20} />],
  ["Digital output", <ChannelIcon key="do" analogId={Analog.digitalOutput} size={20} />],
  ["Motor controller", <MotorIcon key="motor" />],
];

/** Everything a device can measure. */
export const Kinds = () => (
  <ul className={classes.kinds}>
    {kinds.map(([label, icon]) => (
      <li key={label}>
        {icon}
        {label}
      </li>
    ))}
  </ul>
);
