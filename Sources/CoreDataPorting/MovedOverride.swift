#if Overlay
import CoreDataCodegen
import SwiftSyntax

/// An override that moves from an extension to its class when the source is ported in place.
package struct MovedOverride: Sendable {
    /// The range of the member, including its comments.
    let range: Range<Int>
    /// The offset and the text of the access level that the extension gave the member, if any.
    let access: (offset: Int, level: String)?

    init(_ override: ExtensionOverride) {
        let node = override.node
        range = node.position.utf8Offset..<node.endPosition.utf8Offset
        let modifiers = node.asProtocol((any WithModifiersSyntax).self)?.modifiers
        access =
            if let modifiers, modifiers.accessLevel == nil, let first = modifiers.first,
                let level = override.extended.modifiers.first(where: { $0.accessLevel != nil })
            {
                (first.positionAfterSkippingLeadingTrivia.utf8Offset, level.trimmedDescription)
            } else {
                nil
            }
    }
}

/// A moved override, in the form in which it is added to the file of its class.
package struct ArrivingOverride: Sendable {
    /// The offset of the class's closing brace.
    let destination: Int
    /// The text of the member, ported in place.
    let text: String
}
#endif
