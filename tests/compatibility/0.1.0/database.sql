BEGIN TRANSACTION;
CREATE TABLE clocks (
            match_id TEXT NOT NULL PRIMARY KEY,
            initial_ms INTEGER NOT NULL,
            increment_ms INTEGER NOT NULL,
            left_ms TEXT NOT NULL,
            FOREIGN KEY (match_id) REFERENCES hostings (match_id) ON DELETE CASCADE
        );
INSERT INTO "clocks" VALUES('zriqeh23ii',60000,1000,'[60000,59500,59000]');
INSERT INTO "clocks" VALUES('ybowccvoap',60000,1000,'[60000,59500,59000]');
INSERT INTO "clocks" VALUES('imurwgtuhv',60000,1000,'[60000,59500,59000]');
INSERT INTO "clocks" VALUES('fcxxvmagkd',60000,1000,'[60000,59500,59000]');
INSERT INTO "clocks" VALUES('saccu5per3',3000,0,'[2000,1000,500,0]');
CREATE TABLE hostings (
            match_id TEXT NOT NULL PRIMARY KEY,
            creator TEXT NOT NULL,
            practice INTEGER NOT NULL,
            movetime_ms INTEGER,
            FOREIGN KEY (match_id) REFERENCES matches (id) ON DELETE CASCADE
        );
INSERT INTO "hostings" VALUES('ndzy3usxeg','0123456789abcdef',0,NULL);
INSERT INTO "hostings" VALUES('fdatwp5kd7','0123456789abcdef',1,NULL);
INSERT INTO "hostings" VALUES('zriqeh23ii','0123456789abcdef',0,NULL);
INSERT INTO "hostings" VALUES('44la4lfu44','0123456789abcdef',0,NULL);
INSERT INTO "hostings" VALUES('wwe3nay4ft','0123456789abcdef',1,NULL);
INSERT INTO "hostings" VALUES('ybowccvoap','0123456789abcdef',0,NULL);
INSERT INTO "hostings" VALUES('oiqmlj6uog','0123456789abcdef',0,NULL);
INSERT INTO "hostings" VALUES('mn743uidaw','0123456789abcdef',1,NULL);
INSERT INTO "hostings" VALUES('imurwgtuhv','0123456789abcdef',0,NULL);
INSERT INTO "hostings" VALUES('67ps474yjh','0123456789abcdef',0,NULL);
INSERT INTO "hostings" VALUES('yettfdduvz','0123456789abcdef',1,NULL);
INSERT INTO "hostings" VALUES('fcxxvmagkd','0123456789abcdef',0,NULL);
INSERT INTO "hostings" VALUES('saccu5per3','0123456789abcdef',0,NULL);
INSERT INTO "hostings" VALUES('lm6parzbrq','0123456789abcdef',0,NULL);
CREATE TABLE ludex_schema (version INTEGER NOT NULL);
INSERT INTO "ludex_schema" VALUES(4);
CREATE TABLE matches (
            id TEXT NOT NULL PRIMARY KEY,
            version INTEGER NOT NULL,
            created_utc TEXT NOT NULL,
            updated_utc TEXT NOT NULL,
            game TEXT NOT NULL,
            game_version INTEGER NOT NULL,
            preset TEXT NOT NULL,
            seed TEXT NOT NULL,
            actions TEXT NOT NULL,
            agents TEXT NOT NULL,
            scores TEXT,
            reason TEXT,
            aborted TEXT
        );
INSERT INTO "matches" VALUES('zuubr47v64',1,'2026-11-17T04:05:48.105868Z','2026-11-17T04:05:48.105868Z','tictactoe',1,'3x3x3','7','[0,6,1,2,4,3,7]','["perfect","perfect"]','[1.0,-1.0]','line',NULL);
INSERT INTO "matches" VALUES('ndzy3usxeg',8,'2026-11-17T04:05:48.120257Z','2026-11-17T04:05:48.172231Z','tictactoe',1,'3x3x3','7','[0,6,1,2,4,3,7]','["you","perfect"]','[1.0,-1.0]','line',NULL);
INSERT INTO "matches" VALUES('fdatwp5kd7',1,'2026-11-17T04:05:48.184194Z','2026-11-17T04:05:48.184194Z','tictactoe',1,'3x3x3','7','[0,6,7]','["you","perfect"]',NULL,NULL,NULL);
INSERT INTO "matches" VALUES('zriqeh23ii',1,'2026-11-17T04:05:48.196194Z','2026-11-17T04:05:48.196194Z','tictactoe',1,'3x3x3','7','[0,6,7]','["you","you"]',NULL,NULL,NULL);
INSERT INTO "matches" VALUES('busivdmead',1,'2026-11-17T04:05:48.205859Z','2026-11-17T04:05:48.205859Z','quoridor',1,'5x5','7','[25,45,7,17,12,7,17,2]','["walker","walker"]','[-1.0,1.0]','goal reached',NULL);
INSERT INTO "matches" VALUES('44la4lfu44',9,'2026-11-17T04:05:48.216182Z','2026-11-17T04:05:48.292230Z','quoridor',1,'5x5','7','[25,45,7,17,12,7,17,2]','["you","walker"]','[-1.0,1.0]','goal reached',NULL);
INSERT INTO "matches" VALUES('wwe3nay4ft',1,'2026-11-17T04:05:48.304192Z','2026-11-17T04:05:48.304192Z','quoridor',1,'5x5','7','[25,45,52]','["you","walker"]',NULL,NULL,NULL);
INSERT INTO "matches" VALUES('ybowccvoap',1,'2026-11-17T04:05:48.316191Z','2026-11-17T04:05:48.316191Z','quoridor',1,'5x5','7','[25,45,52]','["you","you"]',NULL,NULL,NULL);
INSERT INTO "matches" VALUES('rbahuap4j3',1,'2026-11-17T04:05:48.334350Z','2026-11-17T04:05:48.334350Z','minesweeper',1,'small_8x8_10','7','[12,90,27,29,30,38,23,31,39,46,55,62]','["rules"]','[-1.0]','resignation',NULL);
INSERT INTO "matches" VALUES('oiqmlj6uog',14,'2026-11-17T04:05:48.348452Z','2026-11-17T04:05:48.420033Z','minesweeper',1,'small_8x8_10','7','[12,90,27,29,30,38,23,31,39,46,55,62]','["you"]','[-1.0]','resignation',NULL);
INSERT INTO "matches" VALUES('mn743uidaw',1,'2026-11-17T04:05:48.424077Z','2026-11-17T04:05:48.424077Z','minesweeper',1,'small_8x8_10','7','[12,90,103]','["you"]',NULL,NULL,NULL);
INSERT INTO "matches" VALUES('imurwgtuhv',1,'2026-11-17T04:05:48.428141Z','2026-11-17T04:05:48.428141Z','minesweeper',1,'small_8x8_10','7','[12,90,103]','["you"]',NULL,NULL,NULL);
INSERT INTO "matches" VALUES('oml35zvuvo',1,'2026-11-17T04:05:48.665623Z','2026-11-17T04:05:48.665623Z','skirmish',1,'small','7','[5,37,20,0,41,41,65,104,66,122,67,140,65,181,66,181,67,181,67,184,189,66,184,187,65,184,188,67,193,66,193,65,121,66,104,65,181,66,181,66,184,189,65,184,66,193,65,113,66,104,65,180,66,180,66,183,65,183,185,65,192,66,191,66,194,65,122,65,180,66,180,65,183,185,65,192,66,191,66,191,65,192,65,122,66,194,66,180,65,192,66,191,65,194,66,178,194,65,179,66,179,66,191,65,192,66,194,65,194,65,180,66,180,65,183,185,65,192,66,191,66,191,65,192,65,122,66,194,66,180,65,192,66,178,194,65,140,65,179,66,179,65,182,185,65,191,65,191,65,194,65,180,65,191,65,191]','["greedy","greedy"]','[1.0,-1.0]','points',NULL);
INSERT INTO "matches" VALUES('67ps474yjh',157,'2026-11-17T04:05:48.676297Z','2026-11-17T04:05:49.648173Z','skirmish',1,'small','7','[5,37,20,0,41,41,65,104,66,122,67,140,65,181,66,181,67,181,67,184,189,66,184,187,65,184,188,67,193,66,193,65,121,66,104,65,181,66,181,66,184,189,65,184,66,193,65,113,66,104,65,180,66,180,66,183,65,183,185,65,192,66,191,66,194,65,122,65,180,66,180,65,183,185,65,192,66,191,66,191,65,192,65,122,66,194,66,180,65,192,66,191,65,194,66,178,194,65,179,66,179,66,191,65,192,66,194,65,194,65,180,66,180,65,183,185,65,192,66,191,66,191,65,192,65,122,66,194,66,180,65,192,66,178,194,65,140,65,179,66,179,65,182,185,65,191,65,191,65,194,65,180,65,191,65,191]','["you","greedy"]','[1.0,-1.0]','points',NULL);
INSERT INTO "matches" VALUES('yettfdduvz',1,'2026-11-17T04:05:49.652115Z','2026-11-17T04:05:49.652115Z','skirmish',1,'small','7','[5,37,52]','["you","greedy"]',NULL,NULL,NULL);
INSERT INTO "matches" VALUES('fcxxvmagkd',1,'2026-11-17T04:05:49.656058Z','2026-11-17T04:05:49.656058Z','skirmish',1,'small','7','[5,37,52]','["you","you"]',NULL,NULL,NULL);
INSERT INTO "matches" VALUES('saccu5per3',1,'2026-11-17T04:05:49.660411Z','2026-11-17T04:05:49.660411Z','quoridor',1,'5x5','7','[25,45,52]','["you","walker"]','[1.0,-1.0]','time forfeit',NULL);
INSERT INTO "matches" VALUES('lm6parzbrq',1,'2026-11-17T04:05:49.681181Z','2026-11-17T04:05:49.681181Z','skirmish',1,'cramped','7','[11,1,15,17,7,13,20,5,20]','["you","random"]',NULL,NULL,'deployment_deadlock');
CREATE TABLE ranking_values (
            game TEXT NOT NULL,
            preset TEXT NOT NULL,
            state TEXT NOT NULL,
            move INTEGER NOT NULL,
            q DOUBLE PRECISION NOT NULL,
            PRIMARY KEY (game, preset, state, move),
            FOREIGN KEY (game, preset) REFERENCES rankings (game, preset) ON DELETE CASCADE
        );
INSERT INTO "ranking_values" VALUES('tictactoe','3x3x3','EEEEEEEEE',0,0.0);
INSERT INTO "ranking_values" VALUES('tictactoe','3x3x3','EEEEEEEEE',1,0.0);
INSERT INTO "ranking_values" VALUES('tictactoe','3x3x3','EEEEEEEEE',4,0.0);
INSERT INTO "ranking_values" VALUES('tictactoe','3x3x3','EEEEEEEEX',0,-1.0);
INSERT INTO "ranking_values" VALUES('tictactoe','3x3x3','EEEEEEEEX',1,-1.0);
INSERT INTO "ranking_values" VALUES('tictactoe','3x3x3','EEEEEEEEX',2,-1.0);
INSERT INTO "ranking_values" VALUES('tictactoe','3x3x3','EEEEEEEEX',4,0.0);
INSERT INTO "ranking_values" VALUES('tictactoe','3x3x3','EEEEEEEEX',5,-1.0);
INSERT INTO "ranking_values" VALUES('tictactoe','3x3x3','EEEEEEEOX',0,0.0);
INSERT INTO "ranking_values" VALUES('tictactoe','3x3x3','EEEEEEEOX',1,0.0);
INSERT INTO "ranking_values" VALUES('tictactoe','3x3x3','EEEEEEEOX',2,1.0);
INSERT INTO "ranking_values" VALUES('tictactoe','3x3x3','EEEEEEEOX',3,0.0);
INSERT INTO "ranking_values" VALUES('tictactoe','3x3x3','EEEEEEEOX',4,1.0);
INSERT INTO "ranking_values" VALUES('tictactoe','3x3x3','EEEEEEEOX',5,1.0);
INSERT INTO "ranking_values" VALUES('tictactoe','3x3x3','EEEEEEEOX',6,0.0);
INSERT INTO "ranking_values" VALUES('tictactoe','3x3x3','EEEEEEEXE',0,-1.0);
INSERT INTO "ranking_values" VALUES('tictactoe','3x3x3','EEEEEEEXE',1,0.0);
INSERT INTO "ranking_values" VALUES('tictactoe','3x3x3','EEEEEEEXE',3,-1.0);
INSERT INTO "ranking_values" VALUES('tictactoe','3x3x3','EEEEEEEXE',4,0.0);
INSERT INTO "ranking_values" VALUES('tictactoe','3x3x3','EEEEEEEXE',6,0.0);
CREATE TABLE rankings (
            game TEXT NOT NULL,
            preset TEXT NOT NULL,
            created_utc TEXT NOT NULL,
            PRIMARY KEY (game, preset)
        );
INSERT INTO "rankings" VALUES('tictactoe','3x3x3','2026-11-17T04:05:48.089531Z');
CREATE TABLE seats (
            match_id TEXT NOT NULL,
            player INTEGER NOT NULL,
            holder TEXT,
            PRIMARY KEY (match_id, player),
            FOREIGN KEY (match_id) REFERENCES hostings (match_id) ON DELETE CASCADE
        );
INSERT INTO "seats" VALUES('ndzy3usxeg',0,'0123456789abcdef');
INSERT INTO "seats" VALUES('fdatwp5kd7',0,'0123456789abcdef');
INSERT INTO "seats" VALUES('zriqeh23ii',0,'0123456789abcdef');
INSERT INTO "seats" VALUES('zriqeh23ii',1,NULL);
INSERT INTO "seats" VALUES('44la4lfu44',0,'0123456789abcdef');
INSERT INTO "seats" VALUES('wwe3nay4ft',0,'0123456789abcdef');
INSERT INTO "seats" VALUES('ybowccvoap',0,'0123456789abcdef');
INSERT INTO "seats" VALUES('ybowccvoap',1,NULL);
INSERT INTO "seats" VALUES('oiqmlj6uog',0,'0123456789abcdef');
INSERT INTO "seats" VALUES('mn743uidaw',0,'0123456789abcdef');
INSERT INTO "seats" VALUES('imurwgtuhv',0,'0123456789abcdef');
INSERT INTO "seats" VALUES('67ps474yjh',0,'0123456789abcdef');
INSERT INTO "seats" VALUES('yettfdduvz',0,'0123456789abcdef');
INSERT INTO "seats" VALUES('fcxxvmagkd',0,'0123456789abcdef');
INSERT INTO "seats" VALUES('fcxxvmagkd',1,NULL);
INSERT INTO "seats" VALUES('saccu5per3',0,'0123456789abcdef');
INSERT INTO "seats" VALUES('lm6parzbrq',0,'0123456789abcdef');
CREATE INDEX matches_by_age ON matches (created_utc, id);
CREATE INDEX matches_by_game_and_age ON matches (game, created_utc, id);
CREATE INDEX hostings_by_creator ON hostings (creator);
CREATE INDEX seats_by_holder ON seats (holder);
COMMIT;
