import { Support } from "../../features/support/support.tsx";

/** /support: what there is to read, whom to ask, and what there is to download. (spec 2 §2) */
export const SupportScreen = () => <Support />;
