export { type GroupBatch, insertionsOf } from "./batches.ts";
export { type Block, decodeBlock, encodeBlock, type Range, type Run, readableOf } from "./block.ts";
export { askReadable, isDamage, type Marking, markDamaged, markUnreadable } from "./damage.ts";
export { eachRun, gathered, type Newest, runsOf } from "./gather.ts";
export { groupIn, groupOf } from "./groups.ts";
export { edgeOf, hotReadings, type PackedEdge } from "./hot.ts";
export { mergeDevices, mergeNow } from "./merging/merge.ts";
export { createMerger, type Merger } from "./merging/merge-job.ts";
export { newestReadings } from "./newest.ts";
export { joined, sorted, sortedInSlices } from "./order.ts";
export {
  askServers,
  byGroup,
  commitTogether,
  findParts,
  isInParts,
  isKeptBy,
  mark,
  serverCount,
  serverName,
  serverOf,
} from "./parts.ts";
export {
  askPlaces,
  batchesThere,
  bytesOf,
  type ChannelSource,
  channelOfPeriod,
  coded,
  inPlace,
  isOfStorage,
  nameOf,
  ofChannels,
  type Place,
  placeOf,
  places,
  theChannels,
} from "./places.ts";
export { changedVersion, fenceOf, raiseVersions } from "./versions.ts";
