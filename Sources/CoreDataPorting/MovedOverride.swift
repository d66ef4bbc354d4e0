#if Overlay
import CoreDataCodegen
import SwiftSyntax

/// A member that overrides in an extension, and leaves it for the class when its source is ported in place.
package struct MovedOverride: Sendable {
    /// The member with its comments.
    let range: Range<Int>
    /// Where the access level goes that the extension gave, if it gave one.
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

/// Such a member as its class gets it.
package struct ArrivingOverride: Sendable {
    /// The closing brace of the class.
    let destination: Int
    /// The member as it is ported in place.
    let text: String
}
#endif
