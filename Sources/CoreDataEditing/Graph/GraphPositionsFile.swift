package import Foundation

/// The file `.layout.json` in a model package, which holds the places of entities for models whose XML has
/// none: those of each version, one entity a line.
package struct GraphPositionsFile: Sendable, Hashable {
    package static let name = ".layout.json"

    /// The places of entities by the name of the version.
    package var versions: [String: [String: GraphPoint]]

    package init(versions: [String: [String: GraphPoint]] = [:]) {
        self.versions = versions
    }

    /// Reads a file; what is no place is left out.
    package init?(_ data: Data) {
        guard let object = try? JSONSerialization.jsonObject(with: data),
            let versions = object as? [String: [String: Any]]
        else { return nil }
        self.versions = versions.mapValues { entities in
            entities.compactMapValues { value in
                guard let place = value as? [Double], place.count == 2, place.allSatisfy({ abs($0) < 1e6 })
                else { return nil }
                return GraphPoint(x: place[0], y: place[1])
            }
        }
    }

    /// The bytes of the file: equal for equal places.
    package var data: Data {
        let sections = versions.sorted { $0.key < $1.key }.map { version, entities in
            let lines = entities.sorted { $0.key < $1.key }.map { name, place in
                "    \(Self.quoted(name)): [\(SVGWriter.number(place.x)), \(SVGWriter.number(place.y))]"
            }
            return "  \(Self.quoted(version)): {\n\(lines.joined(separator: ",\n"))\n  }"
        }
        return Data("{\n\(sections.joined(separator: ",\n"))\n}\n".utf8)
    }

    private static func quoted(_ text: String) -> String {
        let data = try? JSONSerialization.data(
            withJSONObject: text, options: [.fragmentsAllowed, .withoutEscapingSlashes])
        return String(decoding: data ?? Data("\"\"".utf8), as: UTF8.self)
    }
}
