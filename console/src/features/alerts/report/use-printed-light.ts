import { useEffect } from "react";

/** Prints the page in the light theme: browsers leave out dark grounds, and light text on paper cannot be read. */
export const usePrintedLight = (): void => {
  useEffect(() => {
    const { dataset } = document.documentElement;
    let shown: string | undefined;
    const toLight = () => {
      shown = dataset.mantineColorScheme;
      dataset.mantineColorScheme = "light";
    };
    const back = () => {
      if (shown !== undefined) dataset.mantineColorScheme = shown;
    };
    window.addEventListener("beforeprint", toLight);
    window.addEventListener("afterprint", back);
    return () => {
      window.removeEventListener("beforeprint", toLight);
      window.removeEventListener("afterprint", back);
    };
  }, []);
};
