/** So many report intervals a reading may be old. */
const usual = 2;

/** Whether a reading is older than the reports of a working device, `reportWithin` seconds apart, would let it be. `now`: by the server's clock. */
export const isOverdue = (updateTime: Date, reportWithin: number, now: number): boolean =>
  now - updateTime.getTime() > usual * reportWithin * 1000;
