package import CoreDataModelFormat
import Foundation

/// An element of a model's source, with all that is in it: what the writer writes, and what can be compared
/// setting by setting.
package struct SourceElement: Sendable, Hashable {
    package var name: String
    package var attributes: [String: String]
    /// The extras, if the element is one that a value stands for.
    package var extras: [SourceExtra]
    package var children: [SourceElement]

    package init(
        _ name: String, _ attributes: [String: String] = [:], extras: [SourceExtra] = [],
        children: [SourceElement] = []
    ) {
        self.name = name
        self.attributes = attributes
        self.extras = extras
        self.children = children
    }

    /// The keys by which extras refer to the children.
    package var childKeys: [String] {
        var keys = SourceKeys()
        return children.map { keys.next($0.name, $0.attributes) }
    }

    /// Whether it has extras of its own; if not, they are with those of the element around it.
    package var carriesExtras: Bool { SourceShape.carriers.contains(name) }
}

extension ModelDocument {
    /// Reads a document from the element of a model.
    package init(_ model: SourceElement, form: SourceForm = SourceForm()) throws {
        var writer = XMLElementWriter(form)
        writer.write(model)
        self = try XMLModelParser(file: "").parse(Data(writer.finished().utf8)).document
    }
}
