// A weighted mix of other workloads: --mix read_only=8,update_index=2. Each worker goes through the members in a fixed
// order in which every one comes as regularly as its weight allows, and starts at a place of its own, so that after n
// transactions of w workers no share is further than w / n from the one asked for.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/random.h"
#include "oltp/workload.h"

namespace spindle::oltp {
namespace {

constexpr std::uint64_t kMostTurns = 1'000'000;

// The members' turns: smooth weighted round robin. Each turn every member gains its weight, and the richest one pays
// the sum of all weights for the turn.
std::vector<std::uint32_t> turns_of(const std::vector<MixShare>& shares) {
  std::uint64_t divisor = 0, sum = 0;
  for (const MixShare& share : shares) divisor = std::gcd(divisor, share.weight);
  for (const MixShare& share : shares) sum += share.weight / divisor;
  if (sum > kMostTurns) {
    throw std::invalid_argument(fmt::format(
        "--mix: the weights add up to {} without a common divisor, at most {} are possible", sum, kMostTurns));
  }
  std::vector<std::int64_t> credit(shares.size());
  std::vector<std::uint32_t> turns;
  for (std::uint64_t turn = 0; turn < sum; ++turn) {
    for (std::size_t i = 0; i < shares.size(); ++i) credit[i] += static_cast<std::int64_t>(shares[i].weight / divisor);
    const auto richest = std::max_element(credit.begin(), credit.end());
    *richest -= static_cast<std::int64_t>(sum);
    turns.push_back(static_cast<std::uint32_t>(richest - credit.begin()));
  }
  return turns;
}

class MixWorkload final : public Workload {
 public:
  struct Member {
    std::string name;
    std::unique_ptr<Workload> workload;
    std::uint32_t transaction_kind = 0, first_kind = 0;  // in statements()
  };

  explicit MixWorkload(const Options& options) {
    std::vector<MixShare> shares;
    std::set<std::string> seen;
    std::uint32_t next = 0;
    for (const MixShare& share : options.mix) {
      const std::string name = canonical_workload(share.workload);
      if (name == "mix") throw std::invalid_argument("--mix: a mix cannot contain a mix");
      if (!seen.insert(name).second) throw std::invalid_argument(fmt::format("--mix: {} is there twice", name));
      if (share.weight == 0) continue;
      shares.push_back(share);
      Member& member = members_.emplace_back(Member{name, make_workload(name, options), next, next + 1});
      next += 1 + static_cast<std::uint32_t>(member.workload->statements().size());
    }
    if (members_.empty()) throw std::invalid_argument("--mix: give at least one workload a weight above 0");
    turns_ = turns_of(shares);
  }

  std::vector<StatementKind> statements() const override {
    std::vector<StatementKind> kinds;
    for (const Member& member : members_) {
      kinds.push_back({member.name, core::OperationClass::transaction});
      for (const StatementKind& kind : member.workload->statements()) {
        kinds.push_back({member.name + '.' + kind.name, kind.type});
      }
    }
    return kinds;
  }
  std::vector<std::string> table_kinds() const override {
    std::set<std::string> kinds;
    for (const Member& member : members_) {
      for (const std::string& kind : member.workload->table_kinds()) kinds.insert(kind);
    }
    return {kinds.begin(), kinds.end()};
  }
  Access access() const override {
    const bool writes = std::any_of(members_.begin(), members_.end(),
                                    [](const Member& member) { return member.workload->access() == Access::writes; });
    return writes ? Access::writes : Access::reads;
  }
  std::unique_ptr<Client> make_client(std::uint32_t index) const override;

  const std::vector<Member>& members() const { return members_; }
  const std::vector<std::uint32_t>& turns() const { return turns_; }

 private:
  std::vector<Member> members_;
  std::vector<std::uint32_t> turns_;
};

class MixClient final : public Client {
 public:
  MixClient(const MixWorkload& workload, std::uint32_t index)
      : workload_(workload), offset_(core::split_mix(index) % workload.turns().size()) {
    for (const MixWorkload::Member& member : workload.members())
      clients_.push_back(member.workload->make_client(index));
  }

  void bind(drivers::Session& session) override {
    for (const auto& client : clients_) client->bind(session);
  }
  // The number of the transaction decides, so one that is run again stays the same.
  Transaction transaction(TransactionContext& context) override {
    const std::vector<std::uint32_t>& turns = workload_.turns();
    const std::size_t chosen = turns[(context.ordinal() + offset_) % turns.size()];
    const MixWorkload::Member& member = workload_.members()[chosen];
    context.enter_member(member.transaction_kind, member.first_kind);
    return clients_[chosen]->transaction(context);
  }
  void leave(drivers::Session& session) override {
    for (const auto& client : clients_) client->leave(session);
  }

 private:
  const MixWorkload& workload_;
  const std::uint64_t offset_;
  std::vector<std::unique_ptr<Client>> clients_;
};

std::unique_ptr<Client> MixWorkload::make_client(std::uint32_t index) const {
  return std::make_unique<MixClient>(*this, index);
}

const core::Register<WorkloadFactory> kRegistered{
    "mix", [](const Options& options) { return std::make_unique<MixWorkload>(options); }};

}  // namespace
}  // namespace spindle::oltp
