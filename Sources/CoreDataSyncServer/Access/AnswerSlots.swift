import Synchronization

/// Limits the answers that are on their way to each user: one that its client does not read stays in memory until its
/// connection ends.
package final class AnswerSlots: Sendable {
    private let most: Int
    private let taken = Mutex<[String: Int]>([:])

    package init(atMost most: Int) {
        self.most = most
    }

    /// Takes a slot, which is free again when it is released.
    ///
    /// - Throws: `ServiceError.tooOften` if the user has all of them.
    package func take(for user: String) throws(ServiceError) -> Slot {
        let isFree = taken.withLock { taken in
            guard taken[user, default: 0] < most else { return false }
            taken[user, default: 0] += 1
            return true
        }
        guard isFree else { throw ServiceError.tooOften(seconds: 1) }
        return Slot(slots: self, user: user)
    }

    package final class Slot: Sendable {
        private let slots: AnswerSlots
        private let user: String

        fileprivate init(slots: AnswerSlots, user: String) {
            (self.slots, self.user) = (slots, user)
        }

        deinit {
            slots.taken.withLock { taken in
                let rest = taken[user, default: 1] - 1
                taken[user] = rest > 0 ? rest : nil
            }
        }
    }
}
