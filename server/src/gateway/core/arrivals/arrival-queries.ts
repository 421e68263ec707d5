import type { Pool } from "pg";
import { bigints, integers } from "../../../platform/database/array-parameters.ts";
import { batched } from "../../../platform/database/batched.ts";
import type { MessageIdentity } from "./message-identity.ts";

const columnsOf = (identities: readonly MessageIdentity[]) => [
  integers(identities.map(({ deviceId }) => deviceId)),
  integers(identities.map(({ slot }) => slot)),
  bigints(identities.map(({ digest }) => digest)),
];

/** $4: this node. A server that was killed may have lost any acknowledgement of its last moments, one that stopped those that it marked. */
const earlierArrivals = `
  SELECT a.ts, a.digest = requested.digest AS is_same, a.node_id <> $4 AS is_elsewhere,
         a.node_id <> $4 AND (a.is_lost OR NOT EXISTS (SELECT 1 FROM clean_stops s WHERE s.node_id = a.node_id)) AS is_unacknowledged
    FROM unnest($1::int4[], $2::int4[], $3::int8[]) WITH ORDINALITY AS requested(device_id, packet_id, digest, place)
    LEFT JOIN arrivals a USING (device_id, packet_id) ORDER BY requested.place`;

/** The last committed message of a message's slot. */
export interface EarlierArrival {
  /** First arrival time, epoch milliseconds. */
  ts: number;
  /** It is that message; otherwise another one that has taken its slot. */
  isSame: boolean;
  /** Another node, or an earlier start of this server, has committed it. */
  isElsewhere: boolean;
  /** The same, and may not have acknowledged it. */
  isUnacknowledged: boolean;
}

interface ArrivalRow {
  ts: number | null;
  is_same: boolean;
  is_elsewhere: boolean;
  is_unacknowledged: boolean;
}

/** Returns the function that finds what was committed last in a message's slot; look-ups of the same moment are one query. */
export const arrivalFinder = (pool: Pool, nodeId: string) =>
  batched(async (identities: readonly MessageIdentity[]): Promise<(EarlierArrival | undefined)[]> => {
    const { rows } = await pool.query<ArrivalRow>(earlierArrivals, [...columnsOf(identities), nodeId]);
    return rows.map(({ ts, is_same, is_elsewhere, is_unacknowledged }) =>
      ts === null ? undefined : { ts, isSame: is_same, isElsewhere: is_elsewhere, isUnacknowledged: is_unacknowledged },
    );
  });

const removeOfDevices = "DELETE FROM arrivals WHERE device_id = ANY($1::int4[]) AND node_id = $2";

/** Returns the function that removes what this node has committed of a device, which will resend nothing of it. */
export const arrivalRemover = (pool: Pool, nodeId: string) =>
  batched(async (deviceIds: readonly number[]): Promise<undefined[]> => {
    await pool.query(removeOfDevices, [deviceIds, nodeId]);
    return deviceIds.map(() => undefined);
  });

const markLost = `
  UPDATE arrivals a SET is_lost = true FROM unnest($1::int4[], $2::int4[], $3::int8[]) AS l(device_id, packet_id, digest)
   WHERE a.device_id = l.device_id AND a.packet_id = l.packet_id AND a.digest = l.digest AND a.node_id = $4`;
const recordCleanStop = "INSERT INTO clean_stops (node_id) VALUES ($1) ON CONFLICT DO NOTHING";
const forgetOldStops = "DELETE FROM clean_stops WHERE stopped_time < now() - interval '1 day'";

/** Records that this node has acknowledged everything that it committed, except these messages. */
export const recordStop = async (pool: Pool, nodeId: string, lost: readonly MessageIdentity[]): Promise<void> => {
  if (lost.length > 0) await pool.query(markLost, [...columnsOf(lost), nodeId]);
  await pool.query(recordCleanStop, [nodeId]);
  await pool.query(forgetOldStops);
};
