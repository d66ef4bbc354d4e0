package import CoreDataJSON
import CoreDataModelFormat

/// The reason why commands were not carried out. What is only doubtful is done, and reported by the linter.
package struct Refusal: Error, Sendable, Hashable, CustomStringConvertible {
    package enum Reason: Error, Sendable, Hashable, CustomStringConvertible {
        /// The caller saw another state than the present one.
        case staleRevision(seen: Int, current: Int)
        /// A setting was given another value since the caller saw it.
        case overtaken(facet: String, String, JSONValue)
        case nothingToUndo
        case nothingToRedo
        case unknownVersion(String)
        case unknownElement(ElementAddress)
        case wrongKind(ElementAddress, expected: String)
        case unknownFacet(String, ElementKind)
        /// A value of another type, or beyond what the format holds.
        case unfit(facet: String, expected: String)
        case illegalText(facet: String)
        case nameTaken(String)
        case illegalName(String, ElementKind)
        case misplaced(ElementKind, in: ElementKind)
        case badPosition(Int)
        case inheritanceCycle(String)
        /// The facet is no list.
        case noMembers(facet: String)
        case unknownMember(facet: String, JSONValue)
        case noSuchFix(String, [String])
        case unreadableText(String)
        case excessive(String)
        case illegalVersionName(String)
        case lastVersion
        case currentVersion(String)
        /// A model without a package has one version.
        case singleVersion

        package var description: String {
            switch self {
            case .staleRevision(let seen, let current):
                "the model has changed: this is for revision \(seen), and it is at revision \(current)"
            case .overtaken(let facet, let element, let value):
                "\(facet) of \(element) was set to \(value.line) meanwhile"
            case .nothingToUndo: "there is nothing to undo"
            case .nothingToRedo: "there is nothing to redo"
            case .unknownVersion(let name): "there is no version \"\(name)\""
            case .unknownElement(let address): "there is no element \(address.text)"
            case .wrongKind(let address, let expected): "\(address.text) is no \(expected)"
            case .unknownFacet(let facet, let kind):
                "\(kind.article) \(kind.title) has no setting \"\(facet)\""
                    + (kind.facets.isEmpty
                        ? "" : "; it has " + kind.facets.map(\.name).joined(separator: ", "))
            case .unfit(let facet, let expected): "\(facet) has to be \(expected)"
            case .illegalText(let facet): "\(facet) has a character that no XML file can contain"
            case .nameTaken(let name): "the name \"\(name)\" is taken"
            case .illegalName(let name, let kind):
                "\"\(name)\" is no legal name of \(kind.article) \(kind.title)"
            case .misplaced(let kind, let owner):
                "\(owner.article) \(owner.title) contains no \(kind.title)"
            case .badPosition(let index): "there is no position \(index)"
            case .inheritanceCycle(let name): "\"\(name)\" would be its own ancestor"
            case .noMembers(let facet): "\(facet) is no list"
            case .unknownMember(let facet, let member): "\(facet) has no member \(member.line)"
            case .noSuchFix(let name, let fixes):
                "there is no fix \"\(name)\""
                    + (fixes.isEmpty ? "" : "; there are " + fixes.joined(separator: ", "))
            case .unreadableText(let detail): "the text is no model: \(detail)"
            case .excessive(let detail): detail
            case .illegalVersionName(let name): "\"\(name)\" is no name for the folder of a version"
            case .lastVersion: "a model keeps at least one version"
            case .currentVersion(let name):
                "\"\(name)\" is the current version: make another one current first"
            case .singleVersion: "a model outside of a package has one version"
            }
        }
    }

    /// The position of the command, from 0; nil if it is not a command that was refused.
    package let command: Int?
    package let reason: Reason

    package init(_ reason: Reason, command: Int? = nil) {
        self.reason = reason
        self.command = command
    }

    package var description: String {
        command.map { "command \($0 + 1): \(reason)" } ?? reason.description
    }
}

extension ElementKind {
    fileprivate var article: String {
        switch self {
        case .entity, .attribute, .index: "an"
        default: "a"
        }
    }
}
