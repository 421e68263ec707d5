import { IconAdjustments } from "@tabler/icons-react";
import { Analog } from "@telltale/contract/domains/channels";
import type { ReactNode } from "react";
import { ChannelIcon } from "../domain/channel-icon.tsx";
import { Glyph } from "../ui/status/glyph.tsx";
import classes from "./examples.module.css";

const Tile = () => (
  <div className={classes.tile}>
    <div className={classes.head}>
      <ChannelIcon analogId={Analog.flow} />
      Flow
    </div>
    <b>Feed water flow</b>
    <span className={classes.value}>
      41.70 <small>m³/h</small>
    </span>
  </div>
);

const Alert = () => (
  <div className={classes.alert}>
    <div className={classes.gutter}>
      <Glyph name="diamond-solid-bang" size={18} />
    </div>
    <div className={classes.lines}>
      <b>Discharge pressure</b>
      <span>
        <i>High</i> 8.42 bar (threshold 8.00 bar)
      </span>
      <small>14:31:52 Booster pump skid</small>
    </div>
  </div>
);

const Periods = () => (
  <div className={classes.periods}>
    {[
      ["2026-10-12 ~ 2026-11-10", "Higher Alarm 8.50 bar"],
      ["2026-11-10 ~ NOW", "Higher Alarm 8.00 bar"],
    ].map(([period, settings]) => (
      <div key={period} className={classes.period}>
        <IconAdjustments size={18} stroke={1.7} aria-hidden />
        <b>{period}</b>
        <span>{settings}</span>
      </div>
    ))}
  </div>
);

interface ExampleProps {
  title: string;
  picture: ReactNode;
  children: ReactNode;
}

const Example = ({ title, picture, children }: ExampleProps) => (
  <article>
    <div className={classes.picture} aria-hidden="true">
      {picture}
    </div>
    <h2>{title}</h2>
    <p>{children}</p>
  </article>
);

/** Three pictures of the console, built from its own components. */
export const Examples = () => (
  <section className={classes.section}>
    <div className={classes.row}>
      <Example title="Readable from across the room" picture={<Tile />}>
        Each dashboard tile is one channel, updated as the device reports. A lost signal shows as hatched grey and N/A,
        never as an old number.
      </Example>
      <Example title="Alerts that wait for an answer" picture={<Alert />}>
        Set a high or low threshold with hysteresis. An alert stays at the top of the dashboard until a user confirms
        it, and the log records who did.
      </Example>
      <Example title="Records that keep their context" picture={<Periods />}>
        Every channel keeps its values, the settings that applied at the time, and its alerts. Charts go from one hour
        to years.
      </Example>
    </div>
  </section>
);
