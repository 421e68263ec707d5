/** The pit in which water collects and from which the pumps draw. */
export interface WetWell {
  /** Metres above the floor. */
  level: number;
}

/** Area in m², and levels in metres. */
export const wetWell = { area: 6, dry: 0.3, stop: 1, startLead: 2, startLag: 2.6, float: 3.2, weir: 3.8 } as const;

/** One step of the mass balance; rates in m³/h. Water above the weir overflows. */
export const stepWetWell = (state: WetWell, dt: number, inflow: number, outflow: number): WetWell => {
  const level = state.level + ((inflow - outflow) * dt) / 3600 / wetWell.area;
  return { level: Math.min(wetWell.weir, Math.max(wetWell.dry, level)) };
};

/** Which of the two pumps the level controller runs, and which of them leads. */
export interface Duty {
  first: boolean;
  second: boolean;
  /** The pump that starts first next time: they alternate for even wear. */
  lead: 0 | 1;
}

/**
 * Level control with hysteresis: the leading pump starts at 2.0 m, the other joins at 2.6 m, both stop at 1.0 m.
 * `isForced` keeps the leading pump on while a person runs it by hand.
 */
export const stepDuty = (state: Duty, level: number, isForced: boolean): Duty => {
  const running = state.first || state.second;
  if (level <= wetWell.stop && !isForced) {
    return running ? { first: false, second: false, lead: state.lead === 0 ? 1 : 0 } : state;
  }
  const needsLead = running || isForced || level >= wetWell.startLead;
  const needsLag = (state.first && state.second) || level >= wetWell.startLag;
  if (needsLag) return state.first && state.second ? state : { ...state, first: true, second: true };
  // A running pump keeps running: starts wear a motor.
  if (running || !needsLead) return state;
  return { first: state.lead === 0, second: state.lead === 1, lead: state.lead };
};
