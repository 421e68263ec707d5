export { type ChunkAnswer, readChunk, readImage } from "./chunks.ts";
export { imagesOf, keptImages, saveImage, withdrawImage } from "./image-queries.ts";
export { takeFirmwareReport } from "./reports.ts";
export { firmwareRoutes } from "./routes.ts";
export { createFirmwareJob } from "./silent-updates-job.ts";
export { endUpdate, updatesGiving } from "./update-queries.ts";
