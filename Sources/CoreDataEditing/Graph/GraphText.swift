/// The width of text, estimated for the wider ones of the fonts that a viewer may have.
enum GraphText {
    static func width(_ text: String, size: Double, isBold: Bool = false) -> Double {
        text.reduce(0) { $0 + width($1) } * size * (isBold ? 1.08 : 1)
    }

    /// Returns the width of a character in ems.
    private static func width(_ character: Character) -> Double {
        switch character {
        case "i", "j", "l", "I", ".", ",", ":", ";", "'", "|", "!", "[", "]", "(", ")", " ": 0.36
        case "f", "r", "t", "-", "/", "\\", "\"": 0.43
        case "m", "w", "M", "W", "@", "%", "…", "—": 0.98
        case "?", "J", "c", "k", "s", "v", "x", "y", "z": 0.58
        case "a"..."z", "0"..."9", "_": 0.64
        case "A"..."Z": 0.74
        default: character.utf8.count > 2 ? 1.1 : 0.74
        }
    }

    /// Returns the text, shortened to a width by an ellipsis at its end.
    static func shortened(_ text: String, to width: Double, size: Double, isBold: Bool = false) -> String {
        guard self.width(text, size: size, isBold: isBold) > width else { return text }
        var short = text
        while !short.isEmpty, self.width(short + "…", size: size, isBold: isBold) > width {
            short.removeLast()
        }
        return short + "…"
    }
}
