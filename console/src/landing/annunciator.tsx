import { Glyph } from "../ui/status/glyph.tsx";
import classes from "./annunciator.module.css";

type State = "triggered" | "confirmed";
const windows: readonly (readonly [name: string, value: string, state?: State])[] = [
  ["Discharge pressure", "7.12 bar"],
  ["Suction pressure", "3.04 bar"],
  ["Feed water flow", "41.70 m³/h"],
  ["Sump float", "OFF"],
  ["Bearing temp", "186.44 °F"],
  ["Seal water", "ON"],
  ["Compressor A DE", "612.00 mg", "triggered"],
  ["Compressor A NDE", "318.00 mg"],
  ["Cold store 2", "30.92 °F", "confirmed"],
  ["Cold store 4", "34.16 °F"],
  ["Boiler house CO", "6.00 ppm"],
  ["Mixer speed", "1482 rpm"],
  ["I A", "12.4 A"],
  ["I B", "12.6 A"],
  ["I C", "12.3 A"],
  ["Loading door", "OFF"],
];
const labels: Record<State, string> = { triggered: "Triggered", confirmed: "Confirmed" };

/** An annunciator panel with example values, after which the product is named and designed. */
export const Annunciator = () => (
  <figure className={classes.figure}>
    <div
      className={classes.panel}
      role="img"
      aria-label="An annunciator panel: sixteen windows, fourteen dark, one triggered, one confirmed. Example values."
    >
      {windows.map(([name, value, state]) => (
        <div key={name} className={classes.window} data-state={state}>
          <span className={classes.name}>
            {state && <Glyph name={state === "triggered" ? "diamond-solid-bang" : "diamond-open-bang"} size={15} />}
            {name}
          </span>
          <span className={classes.value}>{value}</span>
          {state && <span className={classes.state}>{labels[state]}</span>}
        </div>
      ))}
    </div>
    <figcaption>Example values.</figcaption>
  </figure>
);
