//! Questions of our own, and which twenty of them a player asks.

use agon_games::q21::Q21Question;
use agon_proto::dialect::q21::QUESTIONS;

use super::super::dice::Dice;

/// A question and its options.
type Entry = (&'static str, [&'static str; 4]);

/// About the secret word. They divide any domain, so everybody asks them.
const ABOUT_THE_WORD: [Entry; 3] = [
    (
        "With which letter does the secret word begin?",
        ["a letter from A to C", "a letter from D to J", "a letter from K to P", "from Q to Z"],
    ),
    (
        "How many letters does the secret word have?",
        ["3 or 4", "from 5 to 6", "from 7 to 8", "from 9 to 20"],
    ),
    (
        "Between which letters does the first one of the secret word lie?",
        ["from A to F", "from G to M", "from N to S", "from T to Z"],
    ),
];

/// About the passage.
const ABOUT_THE_PASSAGE: [Entry; 24] = [
    (
        "Where does the passage take place?",
        ["by the sea", "in the mountains", "in a city", "in a house"],
    ),
    (
        "What is the nearest surrounding?",
        [
            "a harbour or a quay",
            "a workshop or a factory",
            "a street or a square",
            "a kitchen or a garden",
        ],
    ),
    (
        "At which time does it happen?",
        ["at night", "in the morning", "in the evening", "during the day"],
    ),
    ("Which season is it?", ["winter", "spring", "summer", "autumn"]),
    ("Which weather matters?", ["wind or a storm", "snow or frost", "rain", "fog or steam"]),
    ("Who is in the centre?", ["a man", "a woman", "a family", "a group of strangers"]),
    (
        "How many persons act at the beginning?",
        ["somebody alone", "a pair or two people", "a group", "nobody, but an object"],
    ),
    (
        "Which thing matters most?",
        ["a machine or a motor", "a bell or a clock", "a boat or a ship", "a letter or a poster"],
    ),
    (
        "Which sense does it appeal to?",
        ["sound or voice", "smell or taste", "sight or light", "touch"],
    ),
    ("Is there an animal?", ["a dog", "a goat or sheep", "fish", "a bird"]),
    ("Which feeling prevails?", ["grief", "joy", "love", "anger or a quarrel"]),
    (
        "What is being made?",
        ["cloth, by weaving", "food, by cooking", "music, by singing", "a record, by writing"],
    ),
    ("Which number plays a part?", ["two or twice", "seven or the seventh", "eleven", "forty"]),
    (
        "What is strange in it?",
        [
            "time runs otherwise",
            "a machine has a memory",
            "nature breaks its rules by magic",
            "people are silent",
        ],
    ),
    (
        "Which kind of work is done?",
        ["trade in a shop", "repair", "science", "duty of an official"],
    ),
    (
        "Is somebody or something lost?",
        ["lost at sea in a wreck", "lost by death", "lost trust or support", "a certainty is lost"],
    ),
    ("Which family member is mentioned?", ["a brother", "a sister", "a grandmother", "an uncle"]),
    (
        "What moves in the first sentence?",
        ["somebody on stairs", "a tram or a railway", "snow or salt", "a clock"],
    ),
    ("Which body is seen in the sky?", ["the sun", "a comet or star", "the moon", "clouds"]),
    (
        "What do the people do at the end?",
        [
            "they wait with patience",
            "they ask for something back",
            "they talk as friends",
            "they count",
        ],
    ),
    (
        "Which building is there?",
        ["a tower or lighthouse", "a mill or workshop", "a bank", "an observatory"],
    ),
    (
        "Who knows better and is wrong?",
        ["an engineer", "a mathematician or scholar", "an inspector", "a politician or candidate"],
    ),
    ("What is eaten?", ["soup and bread", "fruit of a tree", "paper and ink", "salt"]),
    ("What is the tone?", ["a joke", "a riddle", "a dream", "a memory"]),
];

/// Twenty questions, in the player's own order.
pub(super) fn questions(seed: u64, game: &str) -> Vec<Q21Question> {
    let mut passage = ABOUT_THE_PASSAGE;
    Dice::new(seed, &["questions", game]).shuffle(&mut passage);
    let asked = passage.into_iter().take(QUESTIONS - ABOUT_THE_WORD.len()).chain(ABOUT_THE_WORD);
    let question = |(number, (text, options)): (u32, Entry)| Q21Question {
        number,
        text: text.into(),
        options: options.map(Into::into),
    };
    (1..).zip(asked).map(question).collect()
}
