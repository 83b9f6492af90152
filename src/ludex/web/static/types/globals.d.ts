/** The types that most modules name: they are known without an import. */

import type { OpenMatch as OpenMatchClass } from "../shell/openmatch.js";
import type { components } from "./api.js";
import type * as page from "./page.js";
import type * as board from "./renderer.js";
import type * as scene from "./scene.js";

declare global {
  type Schemas = components["schemas"];
  type GameCard = Schemas["GameCard"];
  type GamePreparation = Schemas["GamePreparation"];
  type EmoteMessage = Schemas["EmoteMessage"];
  type JobLine = Schemas["JobLine"];
  type LevelOffer = Schemas["LevelOffer"];
  type Me = Schemas["Me"];
  type PersonalBoard = Schemas["PersonalBoard"];
  type ReviewView = Schemas["ReviewView"];
  type ReviewedMove = Schemas["ReviewView"]["moves"][number];
  type ShownPosition = Schemas["ShownPosition"];
  type OpenMatch = OpenMatchClass;
  type Page = page.Page;
  type Shell = page.Shell;
  type Analysis = board.Analysis;
  type Context = board.Context;
  type DrawnMove = board.DrawnMove;
  type Judgement = board.Judgement;
  type Language = board.Language;
  type LegalMove = board.LegalMove;
  type MatchView = board.MatchView;
  type Overlay = board.Overlay;
  type PlayedMove = board.PlayedMove;
  type Preview = board.Preview;
  type Renderer = board.Renderer;
  type Template = board.Template;
  type Scene = scene.Scene;
  type SceneBoard = scene.SceneBoard;
  type SceneMove = scene.SceneMove;
  type ScenePiece = scene.ScenePiece;
  type SceneText = scene.SceneText;
}
