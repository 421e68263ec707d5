import { approach } from "./random.ts";

/** State of the pumps' common discharge pipe. */
export interface Header {
  /** m³/h. */
  flow: number;
  /** Gauge pressure, bar. */
  pressure: number;
  /** Closed share of the discharge valve, 0 to 1. */
  closed: number;
}

/** Heads in metres of water; flows in m³/h. The pump gives 62 m at 42 m³/h and 90 m against a closed valve. */
export const pipe = { shutoff: 90, still: 57, duty: 42, pumpLoss: 28, pipeLoss: 5 } as const;

const barPerMetre = 0.0981;

/**
 * Flow of `pumps` equal pumps at `speed` (1 = rated) at the intersection of pump curve and system curve: `speed² · shutoff - pumpLoss · (q / pumps)²
 * = still + pipeLoss · throttle · q²`, with q in units of the duty flow.
 */
const operatingFlow = (pumps: number, speed: number, closed: number): number => {
  const surplus = speed * speed * pipe.shutoff - pipe.still;
  if (pumps === 0 || surplus <= 0) return 0;
  const throttle = 1 / (1 - 0.93 * closed) ** 2;
  return pipe.duty * Math.sqrt(surplus / (pipe.pumpLoss / (pumps * pumps) + pipe.pipeLoss * throttle));
};

/** Discharge pressure in bar at a flow: the inverted pump curve; with the pumps off the check valve holds the static pressure. */
const dischargePressure = (pumps: number, speed: number, flow: number): number => {
  if (pumps === 0) return pipe.still * barPerMetre;
  const head = speed * speed * pipe.shutoff - pipe.pumpLoss * (flow / pumps / pipe.duty) ** 2;
  return Math.max(pipe.still, head) * barPerMetre;
};

/** One step of the discharge pipe: the valve turns in about five seconds, flow and pressure follow within two. */
export const stepHeader = (state: Header, dt: number, pumps: number, speed: number, valve: number): Header => {
  const closed = approach(state.closed, valve, dt, 5);
  const flow = operatingFlow(pumps, speed, closed);
  return {
    closed,
    flow: approach(state.flow, flow, dt, 2),
    pressure: approach(state.pressure, dischargePressure(pumps, speed, flow), dt, 2),
  };
};
