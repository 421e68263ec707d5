import { profile } from "@telltale/contract/domains/people/profile";
import { useState } from "react";
import { useAction } from "../../../session/use-call.ts";
import { useSaveProfile } from "../use-save-profile.ts";
import { type Area, croppedFile, middleOf, openPicture } from "./picture.ts";

/** A chosen picture, and the square of it to keep. */
export interface Photo {
  file: Blob;
  picture: ImageBitmap;
  area: Area;
}

/** Choosing, cropping and saving a photo. `validationError` is the error of the chosen file, `failure` the server's. */
export const usePhoto = () => {
  const [photo, setPhoto] = useState<Photo>();
  const [validationError, setError] = useState<string>();
  const save = useSaveProfile(() => setPhoto(undefined));
  const upload = useAction(profile.upload, { isQuiet: true, onDone: (avatar) => save.mutate({ avatar }) });

  const forget = () => {
    upload.reset();
    save.reset();
  };
  const choose = async (file: File) => {
    forget();
    const { picture, validationError: found } = await openPicture(file);
    setError(found);
    if (picture) setPhoto({ file, picture, area: middleOf(picture) });
  };
  const send = async () => {
    const missing = profile.update.body?.shape.avatar.safeParse("").error?.issues[0]?.message;
    if (!photo) return setError(missing);
    const cropped = await croppedFile(photo.picture, photo.area);
    if (cropped) upload.mutate({ file: cropped });
  };
  return {
    photo,
    validationError,
    failure: (upload.error ?? save.error)?.message,
    isSaving: upload.isPending || save.isPending,
    choose,
    send,
    place: (area: Area) => setPhoto((old) => old && { ...old, area }),
    drop: () => {
      forget();
      setPhoto(undefined);
    },
  };
};
