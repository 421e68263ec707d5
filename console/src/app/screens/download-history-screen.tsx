import { DownloadHistory } from "../../features/downloads/download-history.tsx";

/** What the user has downloaded. */
export const DownloadHistoryScreen = () => <DownloadHistory />;
