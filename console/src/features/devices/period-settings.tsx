import type { LogGroup } from "@telltale/contract/channels";
import classes from "./period-settings.module.css";

/** The settings that were in force during a period. */
export const PeriodSettings = ({ period }: { period: LogGroup }) => (
  <dl className={classes.settings}>
    {period.channelSettingChangeDto.map(({ name, nameVal }) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{nameVal}</dd>
      </div>
    ))}
  </dl>
);
