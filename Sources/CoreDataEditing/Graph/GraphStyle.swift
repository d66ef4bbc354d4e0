/// The colours and fonts of a drawing, for light and dark.
enum GraphStyle {
    private static let light = [
        ("paper", "#f7f8fa"), ("box", "#ffffff"), ("edge", "#cfd6df"), ("ink", "#1b2430"),
        ("muted", "#5b6675"), ("plain", "#7a8696"),
    ]
    private static let dark = [
        ("paper", "#14181e"), ("box", "#1e242c"), ("edge", "#39424e"), ("ink", "#e8edf3"),
        ("muted", "#a3aebb"), ("plain", "#8a96a5"),
    ]
    /// The hues of boxes and their lines, for light and dark.
    private static let hues = [
        ("#2f6fd6", "#6ea8ff"), ("#b4531a", "#f0955c"), ("#1f8457", "#58c795"), ("#9244b8", "#cf93ee"),
        ("#b23a5e", "#f0819f"), ("#0f7f8c", "#4fc3d0"), ("#7d6a10", "#d6bf52"), ("#5a57c9", "#a19ffb"),
    ]

    /// Returns the number of the hue of an entity: in turn, so that neighbours in the list differ.
    static func hue(ofNode index: Int) -> Int { index % hues.count }

    /// The style sheet. A page that contains the drawing can set the custom properties; viewers without them
    /// show the light colours.
    static let text: String = {
        let lightHues = hues.enumerated().map { ("hue\($0)", $1.0) }
        let darkHues = hues.enumerated().map { ("hue\($0)", $1.1) }
        let colours = Dictionary(uniqueKeysWithValues: light + lightHues)
        func declared(_ values: [(String, String)]) -> String {
            values.map { "--\($0):\($1)" }.joined(separator: ";")
        }
        func colour(_ property: String, _ name: String) -> String {
            "\(property):\(colours[name]!);\(property):var(--\(name))"
        }
        let hueRules = hues.indices.map { index in
            """
            .hue\(index) .stroke{\(colour("stroke", "hue\(index)"))}\
            .hue\(index) .head,.hue\(index) .header{\(colour("fill", "hue\(index)"))}\
            .hue\(index) .relation{\(colour("fill", "hue\(index)"))}
            """
        }
        let rules = [
            ".model{\(declared(light + lightHues));color-scheme:light dark;"
                + "font-family:system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue','Noto Sans',sans-serif}",
            "@media(prefers-color-scheme:dark){.model{\(declared(dark + darkHues))}}",
            ".paper{\(colour("fill", "paper"))}",
            ".box{\(colour("fill", "box"));\(colour("stroke", "edge"))}",
            ".abstract .box{stroke-dasharray:5 3}",
            ".header{fill-opacity:.16}",
            ".name{\(colour("fill", "ink"));font-size:14px;font-weight:600;text-anchor:middle}",
            ".abstract .name{font-style:italic}",
            ".row{\(colour("fill", "ink"));font-size:12px}",
            ".relation{font-weight:500}",
            ".type{\(colour("fill", "muted"));font-size:12px;text-anchor:end}",
            ".flag{fill:none;\(colour("stroke", "edge"))}",
            ".word{\(colour("fill", "muted"));font-size:9.5px;text-anchor:middle}",
            ".rule{\(colour("stroke", "edge"));stroke-opacity:.6}",
            ".halo{fill:none;\(colour("stroke", "paper"));stroke-width:6}",
            ".stroke{fill:none;stroke-width:1.6;\(colour("stroke", "plain"))}",
            ".optional{stroke-dasharray:5 4}",
            ".link:hover .stroke,.parent:hover .stroke{stroke-width:3}",
            ".parent .head,.hollow{\(colour("fill", "paper"));\(colour("stroke", "plain"));stroke-width:1.6}",
            ".legend .head{\(colour("fill", "plain"))}",
            ".legend text{\(colour("fill", "muted"));font-size:11px}",
        ]
        return (rules + hueRules).joined(separator: "\n")
    }()
}
