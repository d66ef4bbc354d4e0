#if Studio
/// Why a request was turned away: the status of the answer, and the reason for people.
package struct Refusal: Error, Sendable, Hashable {
    package let status: Int
    package let reason: String

    init(_ status: Int, _ reason: String) {
        self.status = status
        self.reason = reason
    }
}
#endif
