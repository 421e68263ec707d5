import type { LogGroup } from "@telltale/contract/channels";
import classes from "./period-settings.module.css";
import { shownSettings } from "./settings.ts";

interface PeriodSettingsProps {
  period: LogGroup;
  channelType: number;
}

/** The settings that were in force during a period. */
export const PeriodSettings = ({ period, channelType }: PeriodSettingsProps) => (
  <dl className={classes.settings}>
    {shownSettings(period, channelType).map(({ name, nameVal }, index) => (
      // A name may come twice: each alarm has its hysteresis.
      // biome-ignore lint/suspicious/noArrayIndexKey: the order of settings is fixed
      <div key={`${name}-${index}`}>
        <dt>{name}</dt>
        <dd>{nameVal}</dd>
      </div>
    ))}
  </dl>
);
