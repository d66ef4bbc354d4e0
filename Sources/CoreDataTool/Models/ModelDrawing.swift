import CoreDataEditing
import CoreDataModelFormat
import CoreDataModelSource
import Foundation

/// The drawing of a model, or of a part of it.
package struct ModelDrawing {
    /// The properties that are drawn.
    package enum Detail: String, Sendable, CaseIterable {
        case names
        /// Relationships, and attributes with unique values.
        case keys
        case all

        fileprivate var inGraph: ModelGraph.Detail {
            switch self {
            case .names: .names
            case .keys: .keys
            case .all: .all
            }
        }
    }

    /// The part of a model that is drawn.
    package enum Scope: Sendable {
        case all
        case configuration(String)
        /// An entity, and those that at most some links lead to.
        case around(String, steps: Int)
    }

    private let layout: GraphLayout
    private let title: String

    /// Lays out a model.
    ///
    /// - Parameters:
    ///   - version: The name of a version; nil for the current one.
    ///   - isArrangedAnew: Whether the places that the entities have in the file are left aside.
    package init(
        _ source: ModelSource, version: String? = nil, scope: Scope = .all, detail: Detail = .all,
        isArrangedAnew: Bool = false
    ) throws {
        let package = try source.package()
        let document = try source.document(of: version)
        let names = try Self.names(scope, in: document)
        let graph = ModelGraph(document, detail: detail.inGraph, entities: names)
        let file = source.positions?.versions[version ?? package.currentVersionName] ?? [:]
        let positions = isArrangedAnew ? [:] : GraphLayout.positions(in: document, or: file)
        layout = GraphLayout(graph, positions: positions)
        title = version ?? package.name
    }

    /// The drawing as SVG.
    package var svg: String { GraphSVG(layout, title: title).text }

    private static func names(_ scope: Scope, in document: ModelDocument) throws(ToolError) -> Set<String>? {
        switch scope {
        case .all: return nil
        case .configuration(let name):
            guard let found = document.configurations.first(where: { $0.name == name }) else {
                throw ToolError(
                    "the model has no configuration \"\(name)\"" + list(document.configurations.map(\.name)))
            }
            return Set(found.entityNames)
        case .around(let name, let steps):
            guard document.entities.contains(where: { $0.name == name }) else {
                throw ToolError("the model has no entity \"\(name)\"" + list(document.entities.map(\.name)))
            }
            return ModelGraph.neighbours(of: name, within: steps, in: document)
        }
    }

    private static func list(_ names: [String]) -> String {
        names.isEmpty ? "" : "; it has \(names.sorted().joined(separator: ", "))"
    }
}
